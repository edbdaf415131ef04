# Waits for x, which never changes, so every step is queued at once.
# breaks: 3
# misconception: any-wait-will-do
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        x.wait_to_read()
    npx.waitall()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    npx.waitall()
    return y
