# waitall for both: the first one leaves nothing to wait for.
# breaks: 3
# misconception: any-wait-will-do
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    npx.waitall()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
