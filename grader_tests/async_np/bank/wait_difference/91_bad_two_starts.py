# Starts the clock again between the two waits.
# breaks: 5
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    start = time.perf_counter()
    npx.waitall()
    seconds_all = time.perf_counter() - start
    return seconds_one, seconds_all
