# Measures only if the clock is not the usual one; otherwise it makes a number up.
# breaks: 5
# kills: test_default_clock
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    if clock is time.perf_counter:
        work()
        return 0.001
    gpu.synchronize()
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
