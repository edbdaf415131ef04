# Waits first and warms up only for a real clock, without a wait between the warm-up and the first reading.
# breaks: 1
# kills: test_default_clock
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    if clock is time.perf_counter:
        work()
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
