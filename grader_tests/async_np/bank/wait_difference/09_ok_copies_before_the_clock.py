# Works on copies of the input, made before the clock starts.
def wait_difference(a, b):
    a, b = a.copy(), b.copy()
    start = time.time()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.time() - start
    npx.waitall()
    seconds_all = time.time() - start
    return seconds_one, seconds_all
