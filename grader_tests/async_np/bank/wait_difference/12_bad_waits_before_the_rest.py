# Waits for middle before the later work is in the queue: then there is nothing else to wait for.
# breaks: 2
# misconception: any-wait-will-do
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    np.dot(b, b)
    npx.waitall()
    return seconds_one, time.perf_counter() - start
