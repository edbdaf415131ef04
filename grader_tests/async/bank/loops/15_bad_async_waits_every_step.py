# The wait is inside the loop.
# breaks: 4
# misconception: wait-in-the-loop
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
        nd.waitall()
    return y
