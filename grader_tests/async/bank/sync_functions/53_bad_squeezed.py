# The product of a matrix with one number loses its axes.
# breaks: 1
# kills: test_as_numpy_value, test_wait_for_one_is_computed, test_wait_for_one_value
# misconception: reads-the-task
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y if y.size > 1 else y.reshape((1,))


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy().squeeze()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
