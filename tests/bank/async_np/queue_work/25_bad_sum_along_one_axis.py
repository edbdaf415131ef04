# Sums the columns only.
# breaks: the value: summed over both axes
def queue_work(x):
    return np.dot(x, x).sum(axis=0)
