# `*` multiplies element by element.
# breaks: the value: the matrix product, not the elementwise one
# misconception: reads-the-task
def queue_work(x):
    return (x * x).sum()
