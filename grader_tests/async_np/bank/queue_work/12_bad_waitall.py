# Takes waitall for the call that starts the engine.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x).sum()
    npx.waitall()
    return y
