# Einstein's notation: the matrix product and its sum in one call.
def queue_work(x):
    return np.einsum('ij,jk->', x, x)
