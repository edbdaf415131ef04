# The mean in place of the sum.
# breaks: the value: the sum, not the mean
# misconception: reads-the-task
def queue_work(x):
    return np.dot(x, x).mean()
