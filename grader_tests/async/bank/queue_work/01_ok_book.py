# The statement of the book.
def queue_work(x):
    return nd.dot(x, x).sum()
