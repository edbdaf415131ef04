# The product goes into x, to save memory.
# breaks: 8
# kills: test_x_stays
# misconception: names-and-arrays
def wait_for_one(x):
    x[:] = np.dot(x, x)
    x.wait_to_read()
    return x


def wait_for_all(x):
    y, z = np.dot(x, x), np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return float((np.dot(x, x).asnumpy() ** 2).sum() ** 0.5)
