# asynchronous_loop calls its second argument n.
# breaks: 11
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_is_computed, test_asynchronous_loop_steps, test_asynchronous_loop_value, test_asynchronous_loop_waits_after_the_loop, test_no_steps
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, n):
    y = None
    for _ in range(n):
        y = x + 1
    gpu.synchronize()
    return y
