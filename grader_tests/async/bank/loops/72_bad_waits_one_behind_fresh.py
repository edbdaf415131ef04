# The synchronous loop enqueues the next step and waits for the one before it.
# breaks: 3
# kills: test_synchronous_one_step_at_a_time
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        new = x + 1
        if y is not None:
            y.wait_to_read()
        y = new
    if y is not None:
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
