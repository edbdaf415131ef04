# numpy.array does not know the arrays of mxnet.np: what comes out holds no numbers.
# breaks: 6
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
    return numpy.array(np.dot(x, x))


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
