# Waits through asnumpy, returns an array of NumPy.
def wait_difference(a, b):
    times = numpy.zeros(2)
    begin = time.perf_counter_ns()
    middle = a @ a
    np.dot(b, b)
    for place, barrier in enumerate((middle.asnumpy, npx.waitall)):
        barrier()
        times[place] = (time.perf_counter_ns() - begin) * 1e-9
    return times
