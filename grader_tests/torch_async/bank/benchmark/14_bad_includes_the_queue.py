# Work that was already in the queue is also measured.
# breaks: 1
# kills: test_older_work_does_not_count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
