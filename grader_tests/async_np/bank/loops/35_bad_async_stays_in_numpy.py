# The loop computes with NumPy and copies each result back: asnumpy waits before the first step, and nothing is enqueued.
# breaks: 4
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y, values = None, x.asnumpy()
    for _ in range(steps):
        y = values + 1
    return None if y is None else np.array(y)
