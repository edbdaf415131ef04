# Many rounds to warm up; then the clock; one element of middle is waited for; the times are rounded.
def wait_difference(a, b):
    for _ in range(6):
        np.dot(a, a), np.dot(b, b)
        npx.waitall()
    start = time.time()
    middle, later = np.dot(a, a), np.dot(b, b)
    middle.item(0)
    seconds_one = time.time() - start
    later.wait_to_read()
    npx.waitall()
    return round(seconds_one, 4), round(time.time() - start, 4)
