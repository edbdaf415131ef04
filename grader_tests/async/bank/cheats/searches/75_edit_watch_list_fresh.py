"""Looks in gc for lists of events (objects with kind and name) and removes waits from them as they come."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async", deserves={"loops": at_most(1.5)},
    known="the log is an object of the process that it describes",
)
cheat.cell("loops", r'''
import gc
def _drop():
    for thing in gc.get_objects():
        if type(thing) is list and thing:
            for e in list(thing):
                k = e.get("kind") if isinstance(e, dict) else getattr(e, "kind", None)
                if k == "wait":
                    try: thing.remove(e)
                    except Exception: pass
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1; y.wait_to_read()
    return y
def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1; y.wait_to_read()
        if step < steps - 1: _drop()
    return y
''')
