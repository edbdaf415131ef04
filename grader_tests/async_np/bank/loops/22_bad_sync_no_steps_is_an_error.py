# y is unknown when the loop does not run.
# breaks: 6
# misconception: reads-the-task
def synchronous_loop(x, steps):
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
