# Waits, but the clock has been read.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    seconds = clock() - start
    gpu.synchronize()
    return seconds
