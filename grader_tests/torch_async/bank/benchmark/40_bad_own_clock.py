# Reads the time with a clock of its own.
# breaks: 4
# kills: test_difference_of_two_readings, test_every_stream_counts, test_finished_when_the_clock_was_read, test_older_work_does_not_count
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    work()
    gpu.synchronize()
    start = time.perf_counter()
    work()
    gpu.synchronize()
    return time.perf_counter() - start
