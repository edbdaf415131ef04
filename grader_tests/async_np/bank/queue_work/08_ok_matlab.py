# As in Matlab: the sum of the columns' sums.
def queue_work(x):
    y = np.dot(x, x)
    return sum(sum(y))
