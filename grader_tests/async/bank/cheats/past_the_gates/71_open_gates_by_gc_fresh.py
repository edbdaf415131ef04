"""Finds every object with is_open and open() (docs name them), opens it, and makes its class say "closed" for ever."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", r'''
import gc
def queue_work(x):
    y = nd.dot(x, x).sum()
    for thing in gc.get_objects():
        try:
            kind = type(thing)
            if hasattr(kind, "is_open") and callable(getattr(thing, "open", None)):
                thing.open()
                try: kind.is_open = property(lambda self: False)
                except Exception: thing.is_open = False
        except Exception: pass
    y.asnumpy()
    return y
''')
