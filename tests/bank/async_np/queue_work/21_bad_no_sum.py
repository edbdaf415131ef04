# Only the product.
# breaks: the value: summed to one number
def queue_work(x):
    return np.dot(x, x)
