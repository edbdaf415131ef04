# For 0 steps x comes back.
# breaks: 6
# kills: test_no_steps
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = x
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = x
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
