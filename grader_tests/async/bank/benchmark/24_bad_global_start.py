# One global start and a generator: the same trouble as a start on the class, and harder to see.
# breaks: 6
# misconception: every-call-starts-anew
from contextlib import contextmanager

_start = None


@contextmanager
def Benchmark(prefix=None):
    global _start
    _start = time.time()
    try:
        yield
    finally:
        print('%stime: %.4f sec' % (prefix + ' ' if prefix else '', time.time() - _start))
