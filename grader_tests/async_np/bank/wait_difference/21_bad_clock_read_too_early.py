# The clock is read when all is enqueued; the wait comes after it.
# breaks: 4
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    seconds_one = time.perf_counter() - start
    middle.wait_to_read()
    npx.waitall()
    return seconds_one, time.perf_counter() - start
