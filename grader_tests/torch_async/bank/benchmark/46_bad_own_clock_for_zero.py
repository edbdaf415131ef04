# If clock() shows no difference, it returns the seconds of another clock.
# breaks: 4
# kills: test_difference_of_two_readings
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    mine, first = time.perf_counter(), clock()
    work()
    gpu.synchronize()
    return (clock() - first) or (time.perf_counter() - mine)
