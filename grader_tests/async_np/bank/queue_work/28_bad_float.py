# float() looks like a harmless cast; it waits, and what comes back is no array.
# breaks: the result is an array of mxnet.np, and nothing waits
# misconception: hidden-waits
def queue_work(x):
    return float(np.dot(x, x).sum())
