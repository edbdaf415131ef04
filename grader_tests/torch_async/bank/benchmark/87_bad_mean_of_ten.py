# Ten calls between the readings, divided by ten.
# breaks: 3
# kills: test_difference_of_two_readings
# misconception: reads-the-task
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    for _ in range(10):
        work()
    gpu.synchronize()
    return (clock() - start) / 10
