# asynchronous_loop computes in float32, whatever the type of x is.
# breaks: 1
# kills: test_asynchronous_loop_value
# misconception: reads-the-task
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
    for _ in range(steps):
        y = x.float() + 1
    gpu.synchronize()
    return y
