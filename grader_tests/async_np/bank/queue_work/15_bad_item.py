# Returns a number: the conversion waits, and the result is no array of mxnet.
# breaks: the result is an array of mxnet
# misconception: hidden-waits
def queue_work(x):
    return np.dot(x, x).sum().item()
