# asynchronous_loop does not wait if there is one step.
# breaks: 5
# kills: test_asynchronous_loop_is_computed
# misconception: call-means-done
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
    if steps > 1:
        gpu.synchronize()
    return y
