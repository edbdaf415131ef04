# Each step waits for something else; x + 1 is computed once.
# breaks: 2
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = x + 1 if steps else None
    for _ in range(steps):
        other = np.ones((1,)) + 1
        other.wait_to_read()
    if steps:
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
