"""Remembers the input by its address."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", '''
kept = {}


def queue_work(x):
    if id(x) not in kept:
        y = nd.dot(x, x).sum()
        y.wait_to_read()
        kept[id(x)] = y
    return kept[id(x)]
''')
