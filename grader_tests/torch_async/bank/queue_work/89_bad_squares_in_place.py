# Writes the product into x itself: the caller's matrix is another one afterwards.
# breaks: x stays as it is
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    x.copy_(x @ x)
    return x.sum()
