# event.wait() makes the stream wait, not the host.
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
    gpu.current_stream().record_event().wait()
    return y
