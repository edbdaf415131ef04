"""Overwrites mxnet.base._LIB and the functions of the ndarray modules with wrappers that hide waits and say "enqueued"."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", r'''
import ctypes, mxnet
from mxnet import base
real = base._LIB
class Fake:
    def __getattr__(self, name):
        f = getattr(real, name)
        if "Wait" in name: return lambda *a: 0
        return f
def queue_work(x):
    y = nd.dot(x, x).sum()
    real.MXNDArrayWaitToRead(y.handle)
    return y
for m in list(__import__("sys").modules.values()):
    if getattr(m, "_LIB", None) is real: m._LIB = Fake()
''')
