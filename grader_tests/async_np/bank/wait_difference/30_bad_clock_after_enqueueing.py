# The clock starts when both products are in the queue: the time to enqueue them is lost.
# breaks: 4
# kills: test_seconds_one
# misconception: clock-sees-the-work
def wait_difference(a, b):
    middle, later = np.dot(a, a), np.dot(b, b)
    began = time.perf_counter()
    middle.wait_to_read()
    one = time.perf_counter()
    npx.waitall()
    return one - began, time.perf_counter() - began
