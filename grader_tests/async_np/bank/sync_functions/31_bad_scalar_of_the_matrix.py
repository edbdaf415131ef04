# item of a whole matrix is an error: only one element can become a scalar.
# breaks: 7
# misconception: numpy-and-the-engine
def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.dot(x, x).item()
