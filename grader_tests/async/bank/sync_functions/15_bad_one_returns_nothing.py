# Hands back what wait_to_read returns, which is None.
# breaks: 1
# misconception: reads-the-task
def wait_for_one(x):
    return nd.dot(x, x).wait_to_read()


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
