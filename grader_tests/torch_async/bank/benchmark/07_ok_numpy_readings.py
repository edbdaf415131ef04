# The readings are kept in an array.
def benchmark(work, clock=time.perf_counter):
    work()
    readings = numpy.zeros(2)
    for place, then in enumerate((work, None)):
        gpu.synchronize()
        readings[place] = clock()
        if then:
            then()
    return float(readings[1] - readings[0])
