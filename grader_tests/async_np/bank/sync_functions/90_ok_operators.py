# Operators, float and a root of squares instead of the named functions.
def _square(x):
    return x @ x


def wait_for_one(x):
    y = _square(x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    pair = tuple(_square(x) for _ in range(2))
    npx.waitall()
    return pair


def as_numpy(x):
    return numpy.array(_square(x).asnumpy())


def as_scalar(x):
    return float(np.sqrt(np.square(_square(x)).sum()))
