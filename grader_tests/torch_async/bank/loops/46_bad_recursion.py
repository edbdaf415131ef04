# asynchronous_loop calls itself for each step, which ends after about a thousand.
# breaks: 2
# kills: test_asynchronous_loop_steps
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def _enqueued(x, steps):
    if steps == 0:
        return None
    y = x + 1
    return y if steps == 1 else _enqueued(x, steps - 1)


def asynchronous_loop(x, steps):
    y = _enqueued(x, steps)
    gpu.synchronize()
    return y
