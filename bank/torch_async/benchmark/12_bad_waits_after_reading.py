# Waits, but the clock has been read.
# breaks: the device had finished the work when the clock was read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    seconds = clock() - start
    gpu.synchronize()
    return seconds
