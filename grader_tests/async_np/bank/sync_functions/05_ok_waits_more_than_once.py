# Waits that are not needed but do no harm; numpy.array of nested lists; an element of NumPy's.
def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    y.wait_to_read()
    z = np.dot(x, x)
    z.wait_to_read()
    npx.waitall()
    return [y, z]


def as_numpy(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return numpy.array(y.tolist(), dtype='float32')


def as_scalar(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return np.sqrt(np.sum(np.square(y))).asnumpy()[()]
