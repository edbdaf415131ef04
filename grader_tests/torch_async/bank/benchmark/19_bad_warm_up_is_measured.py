# The first reading comes before the warm-up, so two calls are measured and one is reported.
# breaks: 3
# kills: test_difference_of_two_readings
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    gpu.synchronize()
    work()
    gpu.synchronize()
    return (clock() - start) / 2
