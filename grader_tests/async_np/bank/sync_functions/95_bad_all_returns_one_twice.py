# One product, returned twice.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    npx.waitall()
    return y, y


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
