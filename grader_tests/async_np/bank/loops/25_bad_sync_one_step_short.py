# Counts from 1 to steps - 1.
# breaks: 2
# misconception: work-not-done
def synchronous_loop(x, steps):
    y = x + 1 if steps == 1 else None
    for _ in range(1, steps):
        y = x + 1
        y.wait_to_read()
    npx.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
