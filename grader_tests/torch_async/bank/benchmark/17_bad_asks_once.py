# query() asks, it does not wait.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    gpu.current_stream().query()
    return clock() - start
