# Takes waitall for the call that starts the engine.
# breaks: returns while its input is not computed yet (waitall)
def queue_work(x):
    y = np.dot(x, x).sum()
    npx.waitall()
    return y
