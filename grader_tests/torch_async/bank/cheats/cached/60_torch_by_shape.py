"""Returns what it has returned for a matrix of the same size before."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43), "loops": at_most(1.5)})
cheat.cell("queue_work", '''
kept = {}


def queue_work(x):
    if tuple(x.shape) not in kept:
        kept[tuple(x.shape)] = (x @ x).sum()
        gpu.synchronize()
    return kept[tuple(x.shape)]
''')
cheat.cell("loops", '''
last = {}


def synchronous_loop(x, steps):
    return asynchronous_loop(x, steps)


def asynchronous_loop(x, steps):
    if steps and tuple(x.shape) not in last:
        last[tuple(x.shape)] = x + 1
        gpu.synchronize()
    return last.get(tuple(x.shape)) if steps else None
''')
