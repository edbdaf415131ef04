# Takes waitall for the call that starts the engine.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    nd.waitall()
    return y
