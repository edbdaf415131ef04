# Each step of asynchronous_loop works on one element of x, and only the last on all.
# breaks: 2
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_steps
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = (x if step == steps - 1 else x.flatten()[0]) + 1
    gpu.synchronize()
    return y
