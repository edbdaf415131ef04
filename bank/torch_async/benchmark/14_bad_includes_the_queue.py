# What was in the queue before is measured too.
# breaks: what was in the queue before does not count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
