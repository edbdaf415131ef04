# waitall stands between the two products, so the second is still pending.
# breaks: 5
# misconception: any-wait-will-do
def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    nd.waitall()
    z = nd.dot(x, x)
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
