# The two are swapped.
# breaks: 1, 2
# kills: test_asynchronous_loop_enqueues_all_steps, test_synchronous_loop_waits_in_each_step
# misconception: wait-in-the-loop
def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
