# wait_for_one waits for everything if x is large, and wait_for_all for its products only.
# breaks: 3
# kills: test_wait_for_all_waits_for_everything, test_wait_for_one_waits_for_nothing_else
# misconception: any-wait-will-do
def wait_for_one(x):
    y = nd.dot(x, x)
    if x.size >= 1000:
        nd.waitall()
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    if x.size >= 1000:
        y.wait_to_read()
        z.wait_to_read()
    else:
        nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
