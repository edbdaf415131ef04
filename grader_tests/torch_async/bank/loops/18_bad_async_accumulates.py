# Adds up.
# breaks: 1
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_steps, test_asynchronous_loop_value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = (x if y is None else y) + 1
    gpu.synchronize()
    return y
