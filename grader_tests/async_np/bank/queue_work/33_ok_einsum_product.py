# The product in Einstein's notation, which is slow for large matrices, and then the sum.
def queue_work(x):
    return np.einsum('ij,jk->ik', x, x).sum()
