# Both return the first y.
# breaks: 1
# kills: test_asynchronous_loop_value, test_synchronous_loop_value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    first = None
    for n in range(steps):
        y = x + 1
        gpu.synchronize()
        if first is None:
            first = y
    return first


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    if ys:
        gpu.synchronize()
    return ys[0] if ys else None
