# Returns the last product only.
# breaks: 4
# misconception: reads-the-task
def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
