# contextlib without try/finally: an exception passes, only the line is not printed then.
from contextlib import contextmanager


@contextmanager
def Benchmark(prefix=None):
    head = '' if prefix is None else f'{prefix} '
    tic = time.time()
    yield
    toc = time.time()
    print(f'{head}time: {toc - tic:.4f} sec')
