# One computation; the other steps make tensors of the same shape, which read nothing of x.
# breaks: 2
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_steps, test_synchronous_loop_steps, test_synchronous_loop_waits_in_each_step
# misconception: work-not-done
def synchronous_loop(x, steps):
    if not steps:
        return None
    y = x + 1
    for n in range(steps - 1):
        torch.ones_like(x)
        gpu.synchronize()
    gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    if not steps:
        return None
    ys = [x + 1] + [torch.ones_like(x) for _ in range(steps - 1)]
    gpu.synchronize()
    return ys[0]
