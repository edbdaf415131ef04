# x + 1 is computed once, and the other steps compute x + 2.
# breaks: 2
# kills: test_asynchronous_loop_value, test_synchronous_loop_value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    first = None
    for n in range(steps):
        y = x + (1 if n == 0 else 2)
        gpu.synchronize()
        first = y if n == 0 else first
    return first


def asynchronous_loop(x, steps):
    first = None
    for n in range(steps):
        y = x + (1 if n == 0 else 2)
        first = y if n == 0 else first
    if steps:
        gpu.synchronize()
    return first
