# The product with the transpose.
# breaks: the value: dot(x, x), not dot(x, x.T)
# misconception: reads-the-task
def queue_work(x):
    return nd.dot(x, x.T).sum()
