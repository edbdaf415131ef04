# Waits for what was in the queue before, and returns its own two products in a list with a name.
# breaks: 5
# kills: test_wait_for_all_is_computed
# misconception: any-wait-will-do
class Products(list):
    """The products of x."""


def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    npx.waitall()
    return Products([np.dot(x, x), np.dot(x, x)])


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
