"""The closure of the traced wait leads to the log: a wait that it does not hold."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"queue_work": at_most(0.25)},
    known="the watch is in the student's process, and the closure of a traced function of the library leads to it",
)
cheat.cell("queue_work", r'''
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

def queue_work(x):
    f = watch()
    t, e = f.get("trace"), f.get("engine")
    if t is None:
        r = nd.dot(x, x).sum(); r.wait_to_read(); return r
    shut = [g for g in t.gates if not g.is_open and g.label == "argument 0"]
    for g in shut:
        g.open()
    with t.paused():
        nd.dot(x, x).sum().asscalar()          # the wait that is forbidden
    for g in shut:
        t.gates.remove(g)
        e.close_gate(t, x, g.label)            # shut again behind us
    return nd.dot(x, x).sum()
''')
