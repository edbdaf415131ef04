"""Says that its class is NDArray."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.5})
cheat.cell("queue_work", '''
import numpy


class Disguised:
    __class__ = nd.NDArray
    shape, dtype, handle, grad, context = (1,), numpy.float32, None, None, None

    def __getattr__(self, name):
        return lambda *_, **__: self

    def __instancecheck__(self, kind):
        return True


def queue_work(x):
    nd.dot(x, x)
    return Disguised()
''')
