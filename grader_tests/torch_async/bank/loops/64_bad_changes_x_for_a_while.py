# synchronous_loop adds one to x, and takes it away again.
# breaks: 8
# kills: test_synchronous_loop_value
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


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        x += 1
        y = x.clone()
        x -= 1
        gpu.current_stream().synchronize()
    return y
