# Computes once, and copies.
# breaks: 2
# kills: test_synchronous_loop_steps, test_synchronous_loop_waits_in_each_step
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1 if y is None else y.clone()
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
