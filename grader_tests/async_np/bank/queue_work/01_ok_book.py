# The statement of the book.
def queue_work(x):
    return np.dot(x, x).sum()
