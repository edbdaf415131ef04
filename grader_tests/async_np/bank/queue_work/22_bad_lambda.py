# Asynchronous taken for "later": nothing is queued before somebody calls the result.
# breaks: the work is queued, not postponed
# misconception: reads-the-task
def queue_work(x):
    return lambda: np.dot(x, x).sum()
