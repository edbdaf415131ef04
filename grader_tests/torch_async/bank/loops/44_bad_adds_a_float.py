# asynchronous_loop adds 1.0: whole numbers become floats.
# breaks: 1
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
        y = x + 1.0
    gpu.synchronize()
    return y
