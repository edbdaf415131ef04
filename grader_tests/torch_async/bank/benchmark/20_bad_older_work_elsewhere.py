# Before the first reading it waits for the current stream alone.
# breaks: 1
# kills: test_older_work_does_not_count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.current_stream().synchronize()
    start = clock()
    work()
    gpu.synchronize()
    return clock() - start
