# timeit with one run of a function of its own.
import timeit
from itertools import repeat


def benchmark(net, x):
    def passes():
        for output in map(net, repeat(x, 1000)):
            pass
        nd.waitall()

    return timeit.timeit(passes, number=1)
