# The sum of the product without the product: column sums times row sums. Fewer operations for the back end, same number.
def queue_work(x):
    columns, rows = x.sum(axis=0), x.sum(axis=1)
    return np.dot(columns, rows)
