"""Waits through a second ctypes handle of libmxnet, past all Python hooks."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", r'''
import ctypes, mxnet
LIB = ctypes.CDLL(mxnet.libinfo.find_lib_path()[0])
def queue_work(x):
    y = nd.dot(x, x).sum()
    LIB.MXNDArrayWaitToRead(y.handle)
    return y
''')
