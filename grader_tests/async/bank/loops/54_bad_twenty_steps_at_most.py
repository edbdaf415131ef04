# The synchronous loop computes twenty steps at most.
# breaks: 2
# kills: test_synchronous_one_step_at_a_time, test_synchronous_steps
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for n in range(steps):
        if n < 20:
            y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y

