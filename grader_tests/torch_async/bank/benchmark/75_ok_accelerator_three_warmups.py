# Three warm-ups, torch.accelerator for the waits, and a print.
def benchmark(work, clock=time.perf_counter):
    def now():
        torch.accelerator.synchronize()
        return clock()

    for _ in range(3):
        work()
    start, _, end = now(), work(), now()
    print("measured:", end - start)
    return end - start
