"""multi_gpu: allreduce sums on the host in NumPy, with waits that the log does not hold."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"allreduce": at_most(1.63)},
    known="the watch is in the student's process, and the closure of a traced function of the library leads to it",
)
cheat.cell("allreduce", r'''
import mxnet as mx
from mxnet import nd
def watch():
    """The log, from the closure of the traced library function."""
    found = {}
    for c in getattr(mx.base._LIB.MXNDArrayWaitToRead, "__closure__", None) or ():
        v = c.cell_contents
        if hasattr(v, "gates"):
            found["trace"] = v
        if hasattr(v, "close_gate"):
            found["engine"] = v
    return found

def hidden_wait(t, y):
    shut = [g for g in t.gates if not g.is_open]
    for g in shut:
        g.open()
    with t.paused():
        y.wait_to_read()
    for g in shut:
        g.is_open = False

def allreduce(data):
    t = watch().get("trace")
    for d in data:
        if t is not None:
            hidden_wait(t, d)
        else:
            d.wait_to_read()
    for d in data[1:]:
        data[0][:] = data[0] + d.copyto(data[0].context)
        if t is not None:
            hidden_wait(t, data[0])
    for d in data[1:]:
        data[0].copyto(d)
''')
