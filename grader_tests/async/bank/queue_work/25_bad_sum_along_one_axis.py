# Sums the columns only.
# breaks: the value: summed over both axes
# misconception: reads-the-task
def queue_work(x):
    return nd.dot(x, x).sum(axis=0)
