# A copy and an increment: two operations in each step.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.clone()
        y += 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x.clone()
        y += 1
    gpu.synchronize()
    return y
