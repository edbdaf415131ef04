# Two laps added up: from the start to the middle, from the middle to the end.
def wait_difference(a, b):
    t0 = time.monotonic()
    middle = a.dot(a)
    np.dot(b, b)
    middle.wait_to_read()
    t1 = time.monotonic()
    npx.waitall()
    t2 = time.monotonic()
    first, second = t1 - t0, t2 - t1
    return [first, first + second]
