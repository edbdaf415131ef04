# Waits at every second step.
# breaks: 3
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for i in range(steps):
        y = x + 1
        if i % 2 == 1:
            y.wait_to_read()
    npx.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
