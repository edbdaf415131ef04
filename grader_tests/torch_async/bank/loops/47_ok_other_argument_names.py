# asynchronous_loop calls its second argument n.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, n):
    y = None
    for _ in range(n):
        y = x + 1
    gpu.synchronize()
    return y
