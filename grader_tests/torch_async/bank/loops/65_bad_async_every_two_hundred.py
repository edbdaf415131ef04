# asynchronous_loop waits after every two hundred steps.
# breaks: 4
# kills: test_asynchronous_loop_enqueues_all_steps
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    """Compute y = x + 1 as often as steps says, and wait for y in every step.

    x: tensor on the device. Returns the last y, computed; None for 0 steps.
    """
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    """Compute y = x + 1 as often as steps says, and wait once, when all steps are enqueued.

    x: tensor on the device. Returns the last y, computed; None for 0 steps.
    """
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step % 200 == 199:
            gpu.current_stream().synchronize()
    gpu.synchronize()
    return y
