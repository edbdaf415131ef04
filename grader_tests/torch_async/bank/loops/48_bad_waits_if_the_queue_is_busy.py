# asynchronous_loop first waits for older work, if there is some.
# breaks: 9
# kills: test_asynchronous_loop_waits_after_the_loop
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    if not gpu.current_stream().query():
        gpu.synchronize()
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
