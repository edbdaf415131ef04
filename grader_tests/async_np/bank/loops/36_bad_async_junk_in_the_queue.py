# Waits in every step; work that nobody needs is enqueued before.
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
    ones = [np.ones((1,)) + 1 for _ in range(steps)]
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y
