# The event is recorded before the work: it says nothing of it.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    event = gpu.Event()
    event.record()
    start = clock()
    work()
    event.synchronize()
    return clock() - start
