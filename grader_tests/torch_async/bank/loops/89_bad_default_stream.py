# Both loops wait for the default stream, also if the caller's stream is another one.
# breaks: 5
# kills: test_synchronous_loop_waits_in_each_step, test_synchronous_loop_is_computed, test_asynchronous_loop_is_computed
# misconception: place-in-a-stream
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.default_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.default_stream().synchronize()
    return y
