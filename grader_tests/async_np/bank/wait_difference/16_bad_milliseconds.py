# Milliseconds under the name of seconds.
# breaks: 6
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return 1000 * seconds_one, 1000 * (time.perf_counter() - start)
