# Keeps all results.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    gpu.synchronize()
    return ys[-1] if ys else None
