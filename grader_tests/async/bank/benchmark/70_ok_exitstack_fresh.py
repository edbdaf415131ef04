# A subclass of ExitStack: the line is printed by a callback that is pushed on entry.
import contextlib


class Benchmark(contextlib.ExitStack):
    def __init__(self, prefix=None):
        super().__init__()
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        begin = time.perf_counter_ns()
        self.callback(lambda: print("%s: %.4f sec" % (self.label, (time.perf_counter_ns() - begin) / 1e9)))
        return super().__enter__()
