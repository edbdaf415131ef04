# Runs everything once before it measures, to warm up.
# breaks: "It does this once".
def wait_difference(a, b):
    np.dot(a, a)
    np.dot(b, b)
    npx.waitall()
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
