# Waits by an event of the current stream: work on another stream is not in the time.
# breaks: 2
# kills: test_every_stream_counts
# misconception: place-in-a-stream
def benchmark(work, clock=time.perf_counter):
    work()
    gpu.synchronize()
    start = clock()
    work()
    done = gpu.Event()
    done.record()
    done.synchronize()
    return clock() - start
