# Waits first and multiplies after.
# breaks: 2
# misconception: any-wait-will-do
def wait_for_one(x):
    x.wait_to_read()
    return nd.dot(x, x)


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
