# The time to enqueue.
# breaks: the device had finished the work when the clock was read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    start = clock()
    work()
    return clock() - start
