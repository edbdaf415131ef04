"""Replaces the functions with which the front end asks the device to wait."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.first('''
import simgpu.front.copies
import simgpu.front.waits

simgpu.front.waits.wait = simgpu.front.waits.explicit_wait = simgpu.front.copies.wait = lambda *a, **k: None
simgpu.front.copies.before_a_wait = lambda: None
''')
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
