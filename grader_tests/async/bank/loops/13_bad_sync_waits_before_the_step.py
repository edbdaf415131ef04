# Waits first and computes after, so the last y is still pending at return.
# breaks: 5
# misconception: call-means-done
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        nd.waitall()
        y = x + 1
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
