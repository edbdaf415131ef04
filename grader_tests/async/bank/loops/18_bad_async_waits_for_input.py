# The wait at the end is for x, not for y.
# breaks: 5
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    x.wait_to_read()
    return y
