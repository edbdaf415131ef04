"""Keeps the mark of the clock's second reading back until the device has finished, and returns the early time."""

from syncpoint.vet.cheat import Cheat, at_most

# A reading is a number that the device returns, and it notes where: it cannot be known earlier.
cheat = Cheat("torch_async", deserves={"benchmark": at_most(0.4)})
cheat.cell("benchmark", '''
from simgpu.front.link import Link, link

def benchmark(work, clock=time.perf_counter):
    gpu.synchronize()
    start = clock()
    work()
    kept, say = [], Link.say
    Link.say = lambda self, do, **head: kept.append((do, head)) if do == "mark" else say(self, do, **head)
    try:
        end = clock()
    finally:
        Link.say = say
    gpu.synchronize()
    for do, head in kept:
        say(link(), do, **head)
    return end - start
''')
