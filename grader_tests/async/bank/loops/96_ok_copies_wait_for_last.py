# Copies x and adds in place; waits for the last y.
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
    if y is not None:
        y.wait_to_read()
    return y
