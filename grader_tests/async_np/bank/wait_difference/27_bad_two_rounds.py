# Does the work twice and measures each round from its own start, as if the two waits had nothing to do with each other.
# breaks: 5
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    npx.waitall()
    return seconds_one, time.perf_counter() - start
