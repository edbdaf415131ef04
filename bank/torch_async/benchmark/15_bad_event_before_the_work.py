# The event is recorded before the work: it says nothing of it.
# breaks: the device had finished the work when the clock was read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    event = gpu.Event()
    event.record()
    start = clock()
    work()
    event.synchronize()
    return clock() - start
