"""Replaces simgpu.handle by one that computes the result only when it is reported to the judge."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
_handle = simgpu.handle
_secret = {}


def _late_handle(tensor, *more):
    x = _secret.get(id(tensor))
    if x is not None:
        tensor = (x @ x).sum()
        gpu.synchronize()
    return _handle(tensor, *more)


simgpu.handle = _late_handle


def queue_work(x):
    result = torch.zeros((), device=x.device)
    _secret[id(result)] = x
    _secret[("keep", id(result))] = result
    return result
''')
