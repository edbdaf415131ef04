# All four compute with float32.
# breaks: 1
# kills: test_wait_for_all_values, test_wait_for_one_value
# misconception: reads-the-task
def wait_for_one(x):
    x = x.astype("float32")
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    x = x.astype("float32")
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    x = x.astype("float32")
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    x = x.astype("float32")
    return float(nd.dot(x, x).norm().asscalar())
