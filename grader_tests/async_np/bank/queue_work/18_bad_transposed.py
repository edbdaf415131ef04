# The product with the transpose.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    return np.dot(x, x.T).sum()
