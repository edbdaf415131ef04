# Adds 1 to y over and over.
# breaks: 1
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = x if steps else None
    for _ in range(steps):
        y = y + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
