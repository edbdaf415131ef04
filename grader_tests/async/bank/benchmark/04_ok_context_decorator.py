# A ContextDecorator with a stack of starts, in whole nanoseconds.
import contextlib


class Benchmark(contextlib.ContextDecorator):
    def __init__(self, name=None):
        self._name = name
        self._starts = []

    def __enter__(self):
        self._starts.append(time.perf_counter_ns())
        return self

    def __exit__(self, *exc_info):
        took = (time.perf_counter_ns() - self._starts.pop()) / 1e9
        words = [self._name] if self._name else []
        words += ['time:', '%.4f' % took, 'sec']
        print(*words)
        return None
