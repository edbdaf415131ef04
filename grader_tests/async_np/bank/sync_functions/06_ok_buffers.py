# Products written into buffers, einsum, a number from a list.
def wait_for_one(x):
    y = np.zeros_like(x)
    np.dot(x, x, out=y)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y, z = np.zeros_like(x), np.zeros_like(x)
    for buffer in (y, z):
        np.dot(x, x, out=buffer)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.einsum('ij,jk->ik', x, x).asnumpy()


def as_scalar(x):
    y = np.einsum('ij,jk->ik', x, x)
    return (y * y).sum().tolist() ** 0.5
