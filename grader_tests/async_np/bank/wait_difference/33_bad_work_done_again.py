# When the times are taken, both products are computed again and returned to nobody.
# breaks: 8
# kills: test_once
# misconception: reads-the-task
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    seconds_all = time.perf_counter() - start
    np.dot(a, a), np.dot(b, b)
    npx.waitall()
    return seconds_one, seconds_all
