# asynchronous_loop waits after every 500 steps, so that the queue does not grow without end.
# breaks: 4
# kills: test_asynchronous_loop_enqueues_all_steps
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(1, steps + 1):
        y = x + 1
        if step % 500 == 0:
            gpu.current_stream().synchronize()
    gpu.current_stream().synchronize()
    return y
