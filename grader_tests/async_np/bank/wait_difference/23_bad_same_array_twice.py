# Copied the line and forgot to change the name: b is never used.
# breaks: 1
# misconception: reads-the-task
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    later = np.dot(a, a)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
