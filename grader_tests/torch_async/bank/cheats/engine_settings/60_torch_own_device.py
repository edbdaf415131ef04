"""Starts a device of its own, on which nothing is held back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.first('''
import os

import simgpu.front.link as link

os.environ.pop("SIMGPU_FD", None)
link._Holder.link = None
try:
    link.link()
except Exception as problem:
    print(problem)
''')
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
