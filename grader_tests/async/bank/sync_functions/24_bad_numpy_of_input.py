# Converts x and forgets the product.
# breaks: 6
# misconception: reads-the-task
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    y = nd.dot(x, x)
    return x.asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
