# Empties x when the last y is computed.
# breaks: 8
# kills: test_asynchronous_loop_value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    x.zero_()
    gpu.synchronize()
    return y
