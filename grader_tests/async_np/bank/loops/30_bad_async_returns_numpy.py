# Converts the result, so what comes back is no array of mxnet.
# breaks: 1
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return None if y is None else y.asnumpy()
