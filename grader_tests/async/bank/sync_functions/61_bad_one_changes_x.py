# The product goes into x, to save memory.
# breaks: 8
# kills: test_x_stays
# misconception: names-and-arrays
def wait_for_one(x):
    x[:] = nd.dot(x, x)
    x.wait_to_read()
    return x


def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return float((nd.dot(x, x).asnumpy() ** 2).sum() ** 0.5)
