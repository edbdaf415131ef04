# Takes a look at the shape for a wait: the shape is known before the numbers are.
# breaks: 3
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        assert y.shape == x.shape
    npx.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
