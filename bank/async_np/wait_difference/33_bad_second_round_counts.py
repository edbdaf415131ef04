# Does all five steps twice and returns the times of the second round.
# breaks: it does this once
# kills: test_once
# misconception: reads-the-task
def wait_difference(a, b):
    for _ in range(2):
        start = time.perf_counter()
        middle = np.dot(a, a)
        np.dot(b, b)
        middle.wait_to_read()
        seconds_one = time.perf_counter() - start
        npx.waitall()
        seconds_all = time.perf_counter() - start
    return seconds_one, seconds_all
