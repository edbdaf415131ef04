# The product is written into a buffer made beforehand.
def queue_work(x):
    buffer = nd.empty(x.shape, ctx=x.context, dtype=x.dtype)
    nd.dot(x, x, out=buffer)
    return buffer.sum()
