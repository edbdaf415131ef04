# The columns' sums by the engine, and Python's own sum of them: that adds arrays, and asks for no number.
def queue_work(x):
    return sum(nd.dot(x, x).sum(axis=0))
