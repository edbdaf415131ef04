# Waits before the step: the last one is pending.
# breaks: 5
# kills: test_synchronous_loop_is_computed
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        gpu.synchronize()
        y = x + 1
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
