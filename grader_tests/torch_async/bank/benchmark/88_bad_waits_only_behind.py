# The warm-up is still to be computed at the first reading.
# breaks: 1
# kills: test_older_work_does_not_count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    work()
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
