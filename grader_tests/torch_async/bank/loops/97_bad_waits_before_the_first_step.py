# asynchronous_loop waits once before the first step as well.
# breaks: 9
# kills: test_asynchronous_loop_waits_after_the_loop
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for n in range(steps):
        y = x + 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    gpu.synchronize()
    for _ in range(steps):
        y = x + 1
    if y is not None:
        gpu.synchronize()
    return y
