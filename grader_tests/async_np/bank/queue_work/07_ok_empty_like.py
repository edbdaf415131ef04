# The product is written into room that empty_like made: an operator written in Python.
def queue_work(x):
    product = np.empty_like(x)
    np.dot(x, x, out=product)
    return product.sum()
