# timeit's clock, the time kept on the object, a warning on stderr that nobody should mind.
import timeit
import warnings

warnings.warn('timings on a busy machine vary')


class Benchmark(object):
    elapsed = None

    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        self._began = timeit.default_timer()
        return self

    def __exit__(self, *_):
        self.elapsed = timeit.default_timer() - self._began
        if self.prefix:
            print(self.prefix, end=' ')
        print('time: %.4f sec' % self.elapsed, flush=True)
