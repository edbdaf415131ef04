# A running total "for control": float() waits in each step.
# breaks: 4
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y, total = None, 0.0
    for _ in range(steps):
        y = x + 1
        total += float(y.sum())
    npx.waitall()
    return y
