"""traceback.walk_stack gives the frame that holds the log, and no audit event names the notebook."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async_np",
    deserves={"loops": at_most(1.5)},
    known="frames of the caller can be walked by a function of the standard library",
)
cheat.cell("loops", r'''
import traceback
from mxnet import np, npx
def watch():
    for f, _ in traceback.walk_stack(None):
        t = holds(f)
        if t is not None:
            return {"trace": t}
    return {}

def holds(f):
    for v in [*f.f_locals.values(), *(getattr(v, "trace", None) for v in list(f.f_locals.values()))]:
        if hasattr(v, "gates") and hasattr(v, "open_all"):
            return v

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
        hidden_wait(t, y) if t is not None else y.wait_to_read()
    if y is not None:
        y.wait_to_read()
    return y
''')
