# wait_for_one enqueues the product and returns an array that NumPy computed.
# breaks: 1
# kills: test_wait_for_one_value
# misconception: reads-the-task
def wait_for_one(x):
    product = nd.dot(x, x)
    values = x.asnumpy()
    y = nd.array(values @ values, ctx=x.context, dtype=x.dtype)
    product.wait_to_read()
    return y


def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
