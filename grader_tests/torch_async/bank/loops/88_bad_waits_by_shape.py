# Takes shape and numel for a wait, also at the end.
# breaks: 3
# kills: test_asynchronous_loop_is_computed, test_synchronous_loop_is_computed, test_synchronous_loop_waits_in_each_step
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.shape, y.numel(), y.data_ptr()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y
