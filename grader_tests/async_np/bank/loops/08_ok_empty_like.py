# The steps are written into room that empty_like made.
def synchronous_loop(x, steps):
    if not steps:
        return None
    y = np.empty_like(x)
    for _ in range(steps):
        np.add(x, 1, out=y)
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    if not steps:
        return None
    y = np.empty_like(x)
    for _ in range(steps):
        np.add(x, 1, out=y)
    npx.waitall()
    return y
