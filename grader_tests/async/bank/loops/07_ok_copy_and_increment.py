# Each step copies x and adds 1 in place: two operations a step, the same result.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.copy()
        y += 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.copy()
        y += 1
    nd.waitall()
    return y
