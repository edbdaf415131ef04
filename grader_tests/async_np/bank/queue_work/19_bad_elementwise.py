# `*` multiplies element by element.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    return (x * x).sum()
