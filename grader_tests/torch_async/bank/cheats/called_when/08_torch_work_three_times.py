"""Measures three calls of work(), and lets the marks of one of them through."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"benchmark": at_most(1.5)})
cheat.cell("benchmark", '''
from simgpu.front.link import Link


def benchmark(work, clock=time.perf_counter):
    say = Link.say
    gpu.synchronize()
    start = clock()
    Link.say = lambda self, do, **head: None if do == "mark" else say(self, do, **head)
    try:
        work()
        work()
    finally:
        Link.say = say
    work()
    gpu.synchronize()
    return clock() - start
''')
