# Only the product.
# breaks: the value: summed to one number
# misconception: reads-the-task
def queue_work(x):
    return np.dot(x, x)
