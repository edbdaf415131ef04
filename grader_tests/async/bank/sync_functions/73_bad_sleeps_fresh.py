# Gives the back end half a second, which is always enough.
# breaks: 2, 5
# kills: test_wait_for_all_is_computed, test_wait_for_all_waits_for_everything, test_wait_for_one_is_computed
# misconception: any-wait-will-do
def wait_for_one(x):
    y = nd.dot(x, x)
    time.sleep(0.5)
    return y


def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    time.sleep(0.5)
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
