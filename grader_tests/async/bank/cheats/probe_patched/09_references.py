"""Looks for the functions that the probe put aside, in its engine, and calls them past the trace."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", '''
engine = get_ipython().kernel._probe.engine
wait = engine._library["MXNDArrayWaitToRead"]


def queue_work(x):
    wait(x.handle)
    y = nd.dot(x, x).sum()
    wait(y.handle)
    return y
''')
