# Returns a number: the conversion waits, and the result is no NDArray.
# breaks: the result is an NDArray
# misconception: hidden-waits
def queue_work(x):
    return nd.dot(x, x).sum().asscalar()
