# The mean instead of the sum.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    return np.dot(x, x).mean()
