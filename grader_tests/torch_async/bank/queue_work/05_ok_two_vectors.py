# The sum of a product is a product of sums.
def queue_work(x):
    return x.sum(0) @ x.sum(1)
