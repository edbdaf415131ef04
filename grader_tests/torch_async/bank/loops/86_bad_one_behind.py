# Waits for the step before, when the next one is already enqueued.
# breaks: 3
# kills: test_synchronous_loop_waits_in_each_step
# misconception: place-in-a-stream
def synchronous_loop(x, steps):
    y, before = None, None
    for _ in range(steps):
        y = x + 1
        if before is not None:
            before.synchronize()
        before = gpu.current_stream().record_event()
    gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
