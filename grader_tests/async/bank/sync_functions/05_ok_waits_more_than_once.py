# Waits that are not needed but do no harm: each is only for what the function must wait for.
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    z = nd.dot(x, x)
    z.wait_to_read()
    nd.waitall()
    return [y, z]


def as_numpy(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y.asnumpy()


def as_scalar(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y.norm().asnumpy()[0]
