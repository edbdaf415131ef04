# as_numpy writes the product into x.
# breaks: 8
# kills: test_x_stays
# misconception: names-and-arrays
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    x[:] = nd.dot(x, x)
    return x.asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
