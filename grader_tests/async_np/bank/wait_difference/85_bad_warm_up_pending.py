# The warm-up is still in the queue when the clock starts.
# breaks: 2
# kills: test_middle_comes_first
# misconception: order-of-lines
def wait_difference(a, b):
    np.dot(a, a), np.dot(b, b)
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    one = time.perf_counter() - start
    npx.waitall()
    return one, time.perf_counter() - start
