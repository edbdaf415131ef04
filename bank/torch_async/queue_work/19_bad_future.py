# A promise of Python's own: nothing is on the device when it returns.
# breaks: the work is in the queue
# misconception: reads-the-task
def queue_work(x):
    return lambda: (x @ x).sum()
