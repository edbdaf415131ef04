# A generator that becomes a context manager; the line comes in any case.
from contextlib import contextmanager


@contextmanager
def Benchmark(prefix=None):
    began = time.monotonic()
    try:
        yield
    finally:
        label = 'time' if prefix is None else prefix + ' time'
        print('{}: {:.4f} sec'.format(label, time.monotonic() - began))
