# Adds to the result of the step before.
# breaks: 1
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_steps, test_asynchronous_loop_value, test_synchronous_loop_steps, test_synchronous_loop_value, test_synchronous_loop_waits_in_each_step
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = (x if y is None else y) + 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = (x if y is None else y) + 1
    gpu.synchronize()
    return y
