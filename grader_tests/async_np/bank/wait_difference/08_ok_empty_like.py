# empty_like makes the room: of all functions of mxnet.np one that is written in Python.
def wait_difference(a, b):
    middle, later = np.empty_like(a), np.empty_like(b)
    start = time.time()
    np.dot(a, a, out=middle)
    np.dot(b, b, out=later)
    middle.wait_to_read()
    seconds_one = time.time() - start
    npx.waitall()
    return seconds_one, time.time() - start
