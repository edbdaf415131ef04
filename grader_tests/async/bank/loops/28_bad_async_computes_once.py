# Computes y once and only counts.
# breaks: 2
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = x + 1 if steps else None
    for _ in range(steps):
        pass
    nd.waitall()
    return y
