# The synchronous loop does not wait for its first step: that one is thought to warm up.
# breaks: 3
# kills: test_synchronous_loop_waits_in_each_step
# misconception: place-in-a-stream
def synchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step or steps == 1:
            gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    """In each step, compute y = x + 1. Wait only when all steps are enqueued.

    x: tensor on the device. Returns the last y, computed; None for 0 steps.
    """
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
