# wait_for_all enqueues two products and returns arrays that NumPy computed.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    nd.dot(x, x), nd.dot(x, x)
    values = x.asnumpy()
    y, z = (nd.array(values @ values, ctx=x.context, dtype=x.dtype) for _ in range(2))
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
