# Takes x for a matrix.
# breaks: 7
# kills: test_any_axes
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    rows, columns = x.shape
    y = torch.empty(rows, columns, dtype=x.dtype, device=x.device) if steps else None
    for _ in range(steps):
        torch.add(x, 1, out=y)
    gpu.synchronize()
    return y
