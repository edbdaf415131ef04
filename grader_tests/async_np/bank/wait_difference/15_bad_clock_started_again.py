# The clock starts again after the first wait.
# breaks: 5
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    start = time.perf_counter()
    npx.waitall()
    return seconds_one, time.perf_counter() - start
