# Waits at the head of the next step, and once more at the end.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        gpu.synchronize()
        y = x + 1
    gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
