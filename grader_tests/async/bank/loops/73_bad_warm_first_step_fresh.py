# The asynchronous loop waits for its first step, since the first one is always slow.
# breaks: "enqueues all steps first, and waits once, at the end".
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step == 0:
            y.wait_to_read()
    nd.waitall()
    return y
