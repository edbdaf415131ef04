# In all steps but the last, synchronous_loop adds to one element of x.
# breaks: 2
# kills: test_synchronous_one_step_at_a_time, test_synchronous_steps
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = (x if step == steps - 1 else x.reshape(-1)[:1]) + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    if y is not None:
        y.wait_to_read()
    return y
