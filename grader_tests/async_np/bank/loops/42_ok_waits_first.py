# The queue is emptied before the first step; a value that is there already is read on the way.
def synchronous_loop(x, steps):
    npx.waitall()
    y = None
    for _ in range(steps):
        y = np.add(x, 1)
        y.asnumpy()
    return y


def asynchronous_loop(x, steps):
    npx.waitall()
    x.wait_to_read()
    one, y = np.ones_like(x), None
    one.wait_to_read()
    for _ in range(steps):
        y = x + one
    if y is not None:
        y.wait_to_read()
    return y
