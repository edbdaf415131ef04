# torch.accelerator instead of the device's own module; no warm-up.
def benchmark(work, clock=time.perf_counter):
    torch.accelerator.synchronize()
    before = clock()
    work()
    torch.accelerator.synchronize()
    after = clock()
    return after - before
