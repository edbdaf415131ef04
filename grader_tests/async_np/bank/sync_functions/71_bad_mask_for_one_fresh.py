# Waits for one by waiting for all, and for all by waiting for the two.
# breaks: 3, 5
# kills: test_wait_for_all_waits_for_everything, test_wait_for_one_waits_for_nothing_else
# misconception: any-wait-will-do
def wait_for_one(x):
    y = np.dot(x, x)
    npx.waitall()
    return y


def wait_for_all(x):
    results = [np.dot(x, x), np.dot(x, x)]
    for result in results:
        result.wait_to_read()
    return results


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
