# If work returns a tensor it waits for that tensor, and for the device only otherwise.
# breaks: 2
# kills: test_every_stream_counts
# misconception: place-in-a-stream
def benchmark(work, clock=time.perf_counter):
    work()
    gpu.synchronize()
    start = clock()
    result = work()
    if isinstance(result, torch.Tensor):
        result.cpu()
    else:
        gpu.synchronize()
    return clock() - start
