# Waits before the work and not after it.
# breaks: 2, 5
# kills: test_wait_for_all_is_computed, test_wait_for_one_is_computed
# misconception: any-wait-will-do
def wait_for_one(x):
    x.wait_to_read()
    y = nd.dot(x, x)
    return y


def wait_for_all(x):
    nd.waitall()
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
