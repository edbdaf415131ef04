# Takes waitall for the call that starts the engine.
# breaks: returns while its input is not computed yet (waitall)
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x).sum()
    npx.waitall()
    return y
