# The generator catches what the block raises and does not raise it again.
# breaks: 7
# misconception: reads-the-task
from contextlib import contextmanager


@contextmanager
def Benchmark(prefix=None):
    start = time.time()
    try:
        yield
    except Exception:
        pass
    print('%stime: %.4f sec' % (prefix + ' ' if prefix else '', time.time() - start))
