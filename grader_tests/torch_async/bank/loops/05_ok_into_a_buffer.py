# Into one buffer, by out=.
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = torch.empty_like(x) if y is None else y
        torch.add(x, 1, out=y)
    gpu.synchronize()
    return y
