# Waits for the current stream alone.
# breaks: all that work has enqueued is computed, on every stream
# kills: test_every_stream_counts
# misconception: place-in-a-stream
def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    gpu.current_stream().synchronize()
    return clock() - start
