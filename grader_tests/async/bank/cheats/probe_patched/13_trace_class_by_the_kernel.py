"""Patches the probe's class of traces, by the objects of the kernel: the wait it has seen is not reported."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("queue_work", '''
trace = type(get_ipython().kernel._probe)._call.__globals__["Trace"]
trace.pending = property(lambda self: ("argument 0",))


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
