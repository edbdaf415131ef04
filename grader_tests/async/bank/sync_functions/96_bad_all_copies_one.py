# One product and a copy of it.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = y.copy()
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
