# Measures two rounds and returns the one that took less.
# breaks: it does this once
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

    return min(measure(), measure(), key=sum)
