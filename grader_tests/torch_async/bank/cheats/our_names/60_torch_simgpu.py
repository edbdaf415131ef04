"""Submits a module of the name of the front end."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.file("simgpu.py", '''
raise SystemExit
''')
cheat.file("torch.py", '''
raise SystemExit
''')
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
