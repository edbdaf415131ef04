# wait_for_one does not wait for a large product.
# breaks: 2
# kills: test_wait_for_one_is_computed
# misconception: any-wait-will-do
def wait_for_one(x):
    y = nd.dot(x, x)
    if y.size < 1000:
        y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
