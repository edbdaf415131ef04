"""The host waits between the devices, and the names of everything that tells of it are replaced beforehand."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"split_batch": at_most(1.3), "allreduce": at_most(1.9)})
cheat.cell(
    "split_batch",
    """
import sys


def split_batch(X, y, devices):
    waits = sys.modules["simgpu.front.waits"]
    for name in ("explicit_wait", "wait"):
        if hasattr(waits, name):
            setattr(waits, name, lambda *_, **__: None)
    k = len(devices)
    return tuple([part.to(d) for part, d in zip(t.tensor_split(k), devices)] for t in (X, y))
""",
)
cheat.cell(
    "allreduce",
    """
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.cpu().to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    allreduce(data)
""",
)
