# The wait is for y plus nothing, made before y: so y may be pending.
# breaks: 2
# misconception: any-wait-will-do
def wait_for_one(x):
    ready = x + 0
    y = np.dot(x, x)
    ready.wait_to_read()
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
