"""Patches the probe's class of traces, found among the subclasses of object: the wait it has seen is not reported."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("queue_work", '''
trace = next(kind for kind in object.__subclasses__() if kind.__name__ == "Trace")
trace.pending = property(lambda self: ("argument 0",))


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
