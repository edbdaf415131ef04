# One step is computed before the loop, even for steps = 0.
# breaks: 6
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = x + 1
    for _ in range(steps - 1):
        y = x + 1
    nd.waitall()
    return y
