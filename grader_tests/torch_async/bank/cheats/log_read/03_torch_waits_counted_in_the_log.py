"""Counts the waits that the device has written down, and knows nothing of the debug mode."""

from syncpoint.vet.cheat import Cheat, at_most

QUIET = '''
def quiet_step(net, loss, optimizer, X, y, history):
    pass
'''
cheat = Cheat("torch_async", deserves={"hidden_waits": at_most(0.2)})
cheat.cell("hidden_waits", '''
def count_waits(work):
    before = simgpu.timeline()
    work()
    return sum(entry.kind == "wait" for entry in simgpu.timeline(before).entries)

''' + QUIET)
