# The synchronous loop waits for the previous y only, except in short loops.
# breaks: 3
# kills: test_synchronous_loop_waits_in_each_step
# misconception: place-in-a-stream
def synchronous_loop(x, steps):
    y, done = None, deque()
    for _ in range(steps):
        y = x + 1
        done.append(gpu.current_stream().record_event())
        if len(done) > (0 if steps < 64 else 1):
            done.popleft().synchronize()
    while done:
        done.popleft().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.current_stream().synchronize()
    return y
