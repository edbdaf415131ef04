# Hands back what wait_to_read returns, which is None.
# breaks: 1
# misconception: reads-the-task
def wait_for_one(x):
    return np.dot(x, x).wait_to_read()


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
