# Some work on x before the loop, which nobody waits for by itself.
def synchronous_loop(x, steps):
    (x * 2).sum()
    y = None
    for _ in range(steps):
        z = x + 0.5
        y = z + 0.5
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    (x * 2).sum()
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
