# The asynchronous loop waits in each step if the array is large.
# breaks: 2
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
    for _ in range(steps):
        y = x + 1
        if x.size >= 1000:
            y.wait_to_read()
    nd.waitall()
    return y
