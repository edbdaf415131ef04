# For 0 steps there is no list to take the last from.
# breaks: 6
# kills: test_no_steps
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    gpu.synchronize()
    return ys[-1]
