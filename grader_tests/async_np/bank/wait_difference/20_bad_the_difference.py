# Returns the difference alone.
# breaks: 7
# misconception: reads-the-task
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return time.perf_counter() - start - seconds_one
