# The work is queued and the result dropped.
# breaks: the result is returned
# misconception: reads-the-task
def queue_work(x):
    y = nd.dot(x, x).sum()
