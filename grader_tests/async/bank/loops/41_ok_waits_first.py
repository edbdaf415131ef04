# The queue is emptied before the first step; a value that is there already is read on the way.
def synchronous_loop(x, steps):
    nd.waitall()
    y = None
    for _ in range(steps):
        y = nd.add(x, 1)
        y.asnumpy()
    return y


def asynchronous_loop(x, steps):
    nd.waitall()
    x.wait_to_read()
    one, y = nd.ones_like(x), None
    one.wait_to_read()
    for _ in range(steps):
        y = x + one
    if y is not None:
        y.wait_to_read()
    return y
