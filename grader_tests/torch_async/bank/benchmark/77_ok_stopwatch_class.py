# A stopwatch as a context manager, which waits on entry and on exit.
class Stopwatch:
    def __init__(self, clock):
        self.clock = clock
        self.seconds = None

    def __enter__(self):
        gpu.synchronize()
        self.began = self.clock()
        return self

    def __exit__(self, *error):
        gpu.synchronize()
        self.seconds = self.clock() - self.began
        return False


def benchmark(work, clock=time.perf_counter):
    work()
    with Stopwatch(clock) as watch:
        work()
    return watch.seconds
