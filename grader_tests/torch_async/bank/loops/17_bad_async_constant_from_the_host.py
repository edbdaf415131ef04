# A constant from ordinary memory waits in each step.
# breaks: 4
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_waits_after_the_loop
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + torch.ones(1, dtype=x.dtype).to(x.device)
    gpu.synchronize()
    return y
