# Each step of synchronous_loop works on one element of x, and only the end on all.
# breaks: 2
# kills: test_synchronous_loop_steps, test_synchronous_loop_waits_in_each_step
# misconception: work-not-done
def synchronous_loop(x, steps):
    for _ in range(steps):
        x.reshape(-1)[:1] + 1
        gpu.current_stream().synchronize()
    y = x + 1 if steps else None
    gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
