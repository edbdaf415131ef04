# One waitall after the loop: that is the asynchronous loop.
# breaks: 3
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
