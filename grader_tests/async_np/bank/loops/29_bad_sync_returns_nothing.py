# The return is missing.
# breaks: 1
# misconception: reads-the-task
def synchronous_loop(x, steps):
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
