# float() of a sum that is enqueued after the later work: it is after it in the queue.
# breaks: 3
# misconception: order-of-lines
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    float(middle.sum())
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
