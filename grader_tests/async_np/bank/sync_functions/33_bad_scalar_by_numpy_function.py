# numpy.linalg.norm of an array of mxnet.np calls mxnet's own function: the result is still an array.
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
    return numpy.linalg.norm(np.dot(x, x))
