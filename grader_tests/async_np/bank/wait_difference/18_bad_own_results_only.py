# The second wait is for the later product: other work in the queue is left pending.
# breaks: 5
# misconception: any-wait-will-do
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    later.wait_to_read()
    return seconds_one, time.perf_counter() - start
