# The asynchronous loop keeps all results and waits for the first one.
# breaks: 5
# kills: test_asynchronous_computed
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    if ys:
        ys[0].wait_to_read()
        return ys[-1]
