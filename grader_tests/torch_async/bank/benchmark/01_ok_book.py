# As the notebook says: warm up, synchronise, read, work, synchronise, read.
def benchmark(work, clock=time.perf_counter):
    work()
    gpu.synchronize()
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
