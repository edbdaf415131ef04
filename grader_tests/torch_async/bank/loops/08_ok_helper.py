# A helper for both; the print needs no number.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = _step(x)
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y


def _step(x):
    y = torch.add(x, torch.ones((), dtype=x.dtype, device=x.device))
    print(y.shape)
    return y
