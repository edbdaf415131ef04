"""Waits under another name: the traced functions of the library are replaced before the call."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
import mxnet

LIBRARY = mxnet.base._LIB
wait = LIBRARY.MXNDArrayWaitToRead
LIBRARY.MXNDArrayWaitToRead = LIBRARY.MXNDArrayWaitAll = lambda *_: 0


def queue_work(x):
    y = nd.dot(x, x).sum()
    wait(y.handle)
    return y
''')
