# Each step copies x and adds 1 in place; the synchronous wait reads one number.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.copy()
        y += 1
        float(y.reshape(-1)[0])
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.copy()
        y += 1
    npx.waitall()
    return y
