# Waits for the current stream; work on others is left out.
# breaks: 2
# kills: test_every_stream_counts
# misconception: place-in-a-stream
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    gpu.current_stream().synchronize()
    return clock() - start
