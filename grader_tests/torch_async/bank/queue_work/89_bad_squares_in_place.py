# Writes the product into x itself: the caller's matrix is another one afterwards.
# breaks: 4
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    x.copy_(x @ x)
    return x.sum()
