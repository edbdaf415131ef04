# Enqueues all steps once without a wait, and then does them all again with a wait in each.
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
    ys = [x + 1 for _ in range(steps)]
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y
