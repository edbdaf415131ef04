# The wait is for the later product.
# breaks: 3
# misconception: any-wait-will-do
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    later.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
