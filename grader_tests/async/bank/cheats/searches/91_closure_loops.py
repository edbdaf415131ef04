"""The asynchronous loop waits in every step, unseen: gates opened by hand and said to be shut."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.5)},
    known="the watch is in the student's process, and the closure of a traced function of the library leads to it",
)
cheat.cell("loops", r'''
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

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    t, y = watch().get("trace"), None
    for _ in range(steps):
        y = x + 1
        if t is None:
            y.wait_to_read()
        else:
            hidden_wait(t, y)
    if y is not None:
        y.wait_to_read()
    return y
''')
