# Starts the clock again for the second measurement, and takes the larger of the two.
# breaks: 5
# kills: test_same_start, test_seconds_all
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    start = time.perf_counter()
    npx.waitall()
    return seconds_one, max(seconds_one, time.perf_counter() - start)
