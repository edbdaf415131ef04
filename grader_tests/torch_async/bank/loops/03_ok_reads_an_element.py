# To read an element is to wait.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.flatten()[0].item()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
