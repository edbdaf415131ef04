# Before the first reading it waits only if the current stream has something left to do.
# breaks: 1
# kills: test_older_work_does_not_count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    if not gpu.current_stream().query():
        gpu.synchronize()
    first = clock()
    work()
    gpu.synchronize()
    return clock() - first
