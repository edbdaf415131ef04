# Only enqueues.
# breaks: 2
# misconception: any-wait-will-do
def wait_for_one(x):
    y = np.dot(x, x)
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
