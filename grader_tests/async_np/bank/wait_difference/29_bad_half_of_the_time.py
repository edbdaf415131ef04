# Reads the clock once, at the end, and takes half of it for the first of the two equal products.
# breaks: 4
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    npx.waitall()
    seconds_all = time.perf_counter() - start
    return seconds_all / 2, seconds_all
