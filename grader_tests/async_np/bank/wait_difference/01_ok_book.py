# Straight down the list.
def wait_difference(a, b):
    start = time.time()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.time() - start
    npx.waitall()
    return seconds_one, time.time() - start
