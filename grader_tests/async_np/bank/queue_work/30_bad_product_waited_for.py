# Waits for the product, and only the sum is left in the queue.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    product = np.dot(x, x)
    product.wait_to_read()
    return product.sum()
