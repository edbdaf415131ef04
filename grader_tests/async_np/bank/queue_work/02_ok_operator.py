# The @ operator and a function for the sum.
def queue_work(matrix):
    product = matrix @ matrix
    return np.sum(product)
