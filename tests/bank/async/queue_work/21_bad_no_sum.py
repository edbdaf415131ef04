# Only the product.
# breaks: the value: summed to one number
def queue_work(x):
    return nd.dot(x, x)
