# After the work it waits only if the current stream has something left to do; work on other streams is not seen.
# breaks: 2
# kills: test_every_stream_counts
# misconception: place-in-a-stream
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    first = clock()
    work()
    if not gpu.current_stream().query():
        gpu.synchronize()
    return clock() - first
