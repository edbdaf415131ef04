# Returns a number: the conversion waits, and the result is no NDArray.
# breaks: 1, 2
# misconception: hidden-waits
def queue_work(x):
    return nd.dot(x, x).sum().asscalar()
