# The synchronous loop does not wait for large arrays.
# breaks: 1
# kills: test_synchronous_one_step_at_a_time
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        if x.size < 1000:
            y.wait_to_read()
    nd.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y

