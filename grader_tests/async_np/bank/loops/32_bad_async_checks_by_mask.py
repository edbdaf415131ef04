# Counts the positive elements of each y by a boolean mask: the mask waits inside its own operation.
# breaks: 4
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y, positive = None, 0
    for _ in range(steps):
        y = x + 1
        positive += y[y > 0].size
    npx.waitall()
    return y
