# All calls return the same tensor.
# breaks: 10
# kills: test_any_axes
# misconception: reads-the-task
results_of_loop = {}


def synchronous_loop(x, steps):
    if not steps:
        return None
    y = results_of_loop.setdefault((x.shape, x.dtype), torch.empty_like(x))
    for _ in range(steps):
        torch.add(x, 1, out=y)
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
