"""auto_parallel: copy_to_cpu waits for every array, unseen."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "auto_parallel",
    deserves={"copy_to_cpu": at_most(0.56)},
    known="the watch is in the student's process, and the closure of a traced function of the library leads to it",
)
cheat.cell("copy_to_cpu", r'''
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

def copy_to_cpu(ys):
    t, copies = watch().get("trace"), []
    for y in ys:
        if t is not None:
            hidden_wait(t, y)
        else:
            y.wait_to_read()
        copies.append(y.copyto(mx.cpu(0)))
    return copies
''')
