"""Calls the engine's library through a handle of its own, so that no wait is in the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", '''
import ctypes

import mxnet

library = ctypes.CDLL(mxnet.libinfo.find_lib_path()[0])


def queue_work(x):
    library.MXNDArrayWaitToRead(x.handle)
    y = nd.dot(x, x).sum()
    library.MXNDArrayWaitToRead(y.handle)
    return y
''')
