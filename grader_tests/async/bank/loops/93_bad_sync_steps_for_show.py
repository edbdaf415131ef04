# The synchronous loop waits for each step and returns an array that NumPy made.
# breaks: 2
# kills: test_synchronous_steps
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    if y is not None:
        y = nd.array(x.asnumpy() + 1, ctx=x.context, dtype=x.dtype)
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
