"""Fills the log of the device before it waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    for _ in range(20_100):
        simgpu.mark("mark x")
    y.item()
    return y
''')
