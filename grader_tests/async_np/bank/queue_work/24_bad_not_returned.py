# The work is queued and the result dropped.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    y = np.dot(x, x).sum()
