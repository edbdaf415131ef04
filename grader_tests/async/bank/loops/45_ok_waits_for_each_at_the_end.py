# All results are kept, and each of them is waited for when all steps are enqueued.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    for y in ys:
        y.wait_to_read()
    return ys[-1] if ys else None
