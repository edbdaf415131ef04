# Waits by item of what work returned: nothing is promised about that.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    result = work()
    if isinstance(result, torch.Tensor):
        result.sum().item()
    return clock() - start
