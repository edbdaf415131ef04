# The second time is read without a wait.
# breaks: 5
# misconception: any-wait-will-do
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    seconds_all = time.perf_counter() - start
    return seconds_one, seconds_all
