# torch.cpu.synchronize() does nothing.
# breaks: the device had finished the work when the clock was read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    torch.cpu.synchronize()
    start = clock()
    work()
    torch.cpu.synchronize()
    return clock() - start
