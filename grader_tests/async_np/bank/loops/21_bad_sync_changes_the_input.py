# `+=` writes into x itself.
# breaks: 8
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        x += 1
        y = x
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
