# The asynchronous loop looks whether the numbers are finite, in the middle of the steps.
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for i in range(steps):
        y = x + 1
        if i == steps // 2:
            y.item() if y.size == 1 else y.max().item()
    npx.waitall()
    return y
