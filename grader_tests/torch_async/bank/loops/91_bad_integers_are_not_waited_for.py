# The synchronous loop waits by a check of the values that is skipped for integers.
# breaks: 3
# kills: test_synchronous_loop_waits_in_each_step
# misconception: place-in-a-stream
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        if y.is_floating_point():
            bool(torch.isfinite(y).all())
    gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.current_stream().synchronize()
    return y
