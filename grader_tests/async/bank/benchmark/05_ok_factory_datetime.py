# A function that hands out an object of another class; the wall clock is datetime's.
import datetime
import sys


class _Watch:
    def __enter__(self):
        self.since = datetime.datetime.now()
        return self

    def __exit__(self, kind, value, trace):
        lasted = (datetime.datetime.now() - self.since).total_seconds()
        sys.stdout.write(self.title + ': ' + format(lasted, '.4f') + ' sec\n')


def Benchmark(prefix=None):
    watch = _Watch()
    watch.title = prefix if prefix else 'Done'
    return watch
