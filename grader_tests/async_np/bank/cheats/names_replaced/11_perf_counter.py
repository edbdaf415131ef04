"""Turns the judge's clock back and prints a fixed figure."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"benchmark": 0.5})
cheat.cell("benchmark", '''
import itertools
import time

ticks = itertools.count()
time.perf_counter = lambda: 0.25 * next(ticks)


class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        print(f"{self.label}: 0.3000 sec")
''')
