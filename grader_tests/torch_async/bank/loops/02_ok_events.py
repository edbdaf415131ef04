# An event after each step, or after the last.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().record_event().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    if y is not None:
        done = gpu.Event()
        done.record()
        done.synchronize()
    return y
