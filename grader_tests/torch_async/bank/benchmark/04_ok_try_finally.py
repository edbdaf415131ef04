# Positional names of one's own, and a finally that waits.
def benchmark(job, now=time.perf_counter):
    gpu.synchronize()
    t0 = now()
    try:
        job()
    finally:
        gpu.synchronize()
        t1 = now()
    return float(t1 - t0)
