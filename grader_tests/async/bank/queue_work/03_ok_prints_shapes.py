# A debugging print that needs no values: shape, dtype and context are known before the result is.
def queue_work(x):
    product = nd.dot(x, x)
    print('queued', product.shape, product.dtype, product.context)
    return product.sum()
