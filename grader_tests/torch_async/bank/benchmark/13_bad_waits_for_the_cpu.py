# torch.cpu.synchronize() does nothing.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read, test_older_work_does_not_count
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    torch.cpu.synchronize()
    start = clock()
    work()
    torch.cpu.synchronize()
    return clock() - start
