# A generator with contextlib, the printing in finally.
from contextlib import contextmanager


@contextmanager
def Benchmark(prefix=None, *, clock=time.perf_counter):
    began = clock()
    try:
        yield began
    finally:
        print(" ".join(filter(None, (prefix, f"time: {clock() - began:.4f} sec"))))
