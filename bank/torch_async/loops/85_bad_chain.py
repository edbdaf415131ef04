# Adds to the result of the step before.
# breaks: both: value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = (x if y is None else y) + 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = (x if y is None else y) + 1
    gpu.synchronize()
    return y
