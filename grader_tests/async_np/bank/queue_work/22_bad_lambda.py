# Asynchronous taken for "later": nothing is queued before somebody calls the result.
# breaks: 3
# misconception: reads-the-task
def queue_work(x):
    return lambda: np.dot(x, x).sum()
