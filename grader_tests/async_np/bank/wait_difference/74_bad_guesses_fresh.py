# Waits for all at once, and makes the first time up from the sizes.
# breaks: 3
# kills: test_same_start, test_seconds_all, test_seconds_one, test_waits_for_the_middle_alone
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.perf_counter()
    np.dot(a, a)
    np.dot(b, b)
    npx.waitall()
    seconds = time.perf_counter() - start
    work = len(a) ** 3, len(b) ** 3
    return seconds * work[0] / sum(work), seconds
