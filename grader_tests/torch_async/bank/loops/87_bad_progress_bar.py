# The asynchronous loop prints how far it is: each print of a number waits.
# breaks: 4
# kills: test_asynchronous_loop_enqueues_all_steps
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step % 2 == 0:
            print(step, y.max())
    gpu.synchronize()
    return y
