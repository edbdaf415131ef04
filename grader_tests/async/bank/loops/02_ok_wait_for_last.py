# The asynchronous loop waits for the last result alone; nothing at all happens for no steps.
def synchronous_loop(x, steps):
    if steps == 0:
        return None
    for step in range(steps):
        y = 1 + x
        nd.waitall()
    return y


def asynchronous_loop(x, steps):
    if steps == 0:
        return None
    for step in range(steps):
        y = 1 + x
    y.wait_to_read()
    return y
