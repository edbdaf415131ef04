# wait_for_one waits for x, and wait_for_all for its own products.
# breaks: 2, 5
# misconception: any-wait-will-do
def wait_for_one(x):
    y = np.dot(x, x)
    x.wait_to_read()
    return y


def wait_for_all(x):
    y, z = np.dot(x, x), np.dot(x, x)
    y.wait_to_read()
    z.wait_to_read()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
