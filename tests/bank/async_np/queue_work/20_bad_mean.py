# The mean in place of the sum.
# breaks: the value: the sum, not the mean
def queue_work(x):
    return np.dot(x, x).mean()
