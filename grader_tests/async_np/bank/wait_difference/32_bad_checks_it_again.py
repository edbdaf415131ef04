# Measures, does all five steps once more to see whether the times are alike, and returns those of the first round.
# breaks: 8
# kills: test_once
# misconception: reads-the-task
def wait_difference(a, b):
    def measure():
        start = time.perf_counter()
        middle = np.dot(a, a)
        np.dot(b, b)
        middle.wait_to_read()
        seconds_one = time.perf_counter() - start
        npx.waitall()
        return seconds_one, time.perf_counter() - start

    first, second = measure(), measure()
    print("once more:", second)
    return first
