"""Waits between products and copies, and takes the wait out of the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.8)})
cheat.cell("run_and_copy", r'''
import gc


def _drop():
    for thing in gc.get_objects():
        if type(thing) is list and thing:
            for e in list(thing):
                k = e.get("kind") if isinstance(e, dict) else getattr(e, "kind", None)
                if k == "wait":
                    try:
                        thing.remove(e)
                    except Exception:
                        pass


def run_and_copy(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    nd.waitall()
    _drop()
    copies = [y.copyto(mx.cpu(0)) for y in ys]
    nd.waitall()
    return copies
''')
