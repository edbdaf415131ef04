# Contextlib.contextmanager with try and finally, no warm-up.
import contextlib


@contextlib.contextmanager
def device_idle():
    gpu.synchronize()
    try:
        yield
    finally:
        gpu.synchronize()


def benchmark(work, clock=time.perf_counter):
    times = []
    with device_idle():
        times.append(clock())
        work()
    times.append(clock())
    return float(times[1] - times[0])
