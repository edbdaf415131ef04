# The elements, not the matrices.
# breaks: the sum of the product
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return (x * x).sum()
