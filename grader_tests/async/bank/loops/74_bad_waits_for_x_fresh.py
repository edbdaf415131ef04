# Waits for x in both loops.
# breaks: 3, 5
# kills: test_asynchronous_computed, test_synchronous_computed, test_synchronous_one_step_at_a_time
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        x.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    x.wait_to_read()
    return y
