# Helpers have names that the visible check below gives to other things.
def result(x):
    return np.dot(x, x)


def wait_for_one(x):
    y = result(x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y, z = result(x), result(x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return result(x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(result(x)).item()
