# The product is written into a buffer made beforehand.
def queue_work(x):
    buffer = np.empty(x.shape, dtype=x.dtype)
    np.dot(x, x, out=buffer)
    return buffer.sum()
