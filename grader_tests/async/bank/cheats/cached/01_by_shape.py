"""Computes once for each shape and gives the same again."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", '''
kept = {}


def queue_work(x):
    if x.shape not in kept:
        kept[x.shape] = nd.dot(x, x).sum()
        kept[x.shape].wait_to_read()
    return kept[x.shape]
''')
