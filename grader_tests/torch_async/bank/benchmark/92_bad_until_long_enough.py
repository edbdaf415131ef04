# Repeats short work until a millisecond has gone by, and divides.
# breaks: 3
# kills: test_difference_of_two_readings
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    work()
    gpu.synchronize()
    start, calls = clock(), 0
    while True:
        work()
        gpu.synchronize()
        calls += 1
        seconds = clock() - start
        if seconds >= 1e-3:
            return seconds / calls
