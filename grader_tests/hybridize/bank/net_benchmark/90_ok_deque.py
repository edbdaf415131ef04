# A deque that keeps the last of a thousand mapped passes.
import collections
import itertools


def benchmark(net, x):
    start = time.perf_counter_ns()
    last = collections.deque(map(net, itertools.repeat(x, 1000)), maxlen=1)
    last[0].wait_to_read()
    return (time.perf_counter_ns() - start) / 1e9
