"""Patches the probe's class of traces, by the modules that Python has loaded."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
import importlib
import sys

sys.path.insert(0, "/opt/syncpoint")
for name in ("probe.trace", "probe.handlers", "probe.engine.engine", "probe.kernel"):
    try:
        module = sys.modules.get(name) or importlib.import_module(name)
    except ImportError:
        continue
    for trace in (thing for thing in vars(module).values() if getattr(thing, "__name__", "") == "Trace"):
        trace.pending = property(lambda self: ("argument 0",))


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
