# The asynchronous loop waits for its first step at the end.
# breaks: 5
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    ys = []
    for _ in range(steps):
        ys.append(x + 1)
    if not ys:
        return None
    ys[0].wait_to_read()
    return ys[-1]
