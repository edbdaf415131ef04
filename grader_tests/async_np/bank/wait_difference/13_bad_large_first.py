# The later work is enqueued first, so middle is after it.
# breaks: 2
# misconception: order-of-lines
def wait_difference(a, b):
    start = time.perf_counter()
    np.dot(b, b)
    middle = np.dot(a, a)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
