"""Patches how values are written: every array that leaves is the right one, if only somebody knew it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
handlers = type(get_ipython().kernel._probe)._call.__globals__
serialization = handlers["encode"].__globals__
serialization["_store"] = lambda values, buffers: buffers.append(b"2.0") or len(buffers) - 1
handlers["encode"] = lambda value, out, describe: {"scalar": 0}


def queue_work(x):
    return nd.dot(x, x)
''')
