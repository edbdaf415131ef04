# Returns a number: the conversion waits, and the result is no array of mxnet.
# breaks: 1, 2
# misconception: hidden-waits
def queue_work(x):
    return np.dot(x, x).sum().item()
