# Room for both results is made first, outside of what is measured.
def wait_difference(a, b):
    middle, later = np.zeros_like(a), np.zeros_like(b)
    start = time.time()
    np.dot(a, a, out=middle)
    np.dot(b, b, out=later)
    middle.wait_to_read()
    seconds_one = time.time() - start
    npx.waitall()
    return seconds_one, time.time() - start
