# Some work on x before the loop, which nobody waits for by itself.
def synchronous_loop(x, steps):
    (x * 2).sum()
    y = None
    for _ in range(steps):
        z = x + 2
        y = z - 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    (x * 2).sum()
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
