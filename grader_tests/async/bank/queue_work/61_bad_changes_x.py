# The product goes into x, to save memory.
# breaks: 4
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    x[:] = nd.dot(x, x)
    return x.sum()
