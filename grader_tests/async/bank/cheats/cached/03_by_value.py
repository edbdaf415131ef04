"""Looks up the values of the input, so that a second call would be free."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
kept = {}


def queue_work(x):
    key = x.asnumpy().tobytes()
    if key not in kept:
        kept[key] = nd.dot(x, x).sum()
        kept[key].wait_to_read()
    return kept[key]
''')
