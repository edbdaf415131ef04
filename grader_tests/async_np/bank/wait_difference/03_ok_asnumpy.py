# asnumpy waits for middle; whole nanoseconds; the large result is kept.
def wait_difference(a, b):
    t0 = time.perf_counter_ns()
    middle, large = a.dot(a), b.dot(b)
    middle.asnumpy()
    t1 = time.perf_counter_ns()
    npx.waitall()
    t2 = time.perf_counter_ns()
    print('middle:', (t1 - t0) / 1e9, 'all:', (t2 - t0) / 1e9)
    return (t1 - t0) / 1e9, (t2 - t0) / 1e9
