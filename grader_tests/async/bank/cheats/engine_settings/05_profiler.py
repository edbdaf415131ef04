"""Lets the profiler wait for the engine in its place."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"loops": 1.25})
cheat.cell("loops", '''
from mxnet import profiler

profiler.set_config(profile_all=True, filename="/tmp/profile.json")
profiler.set_state("run")


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        profiler.dumps()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y
''')
