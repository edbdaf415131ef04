# Only the product.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    return np.dot(x, x)
