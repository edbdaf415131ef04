# Remembers the seconds of a function that it has measured before.
# breaks: 3
# kills: test_default_clock, test_difference_of_two_readings, test_every_stream_counts, test_older_work_does_not_count
# misconception: reads-the-task
measured = {}


def benchmark(work, clock=time.perf_counter):
    if work not in measured:
        work()
        gpu.synchronize()
        start = clock()
        work()
        gpu.synchronize()
        measured[work] = clock() - start
    return measured[work]
