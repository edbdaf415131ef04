"""The methods of NDArray that give values lie."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": 0.5, "loops": at_most(0.5)})
cheat.cell("queue_work", '''
import numpy

RIGHT = lambda self: numpy.full(self.shape, 54.0, "float32")
nd.NDArray.asnumpy = nd.NDArray.asscalar = RIGHT
nd.NDArray.__eq__ = lambda self, other: True
nd.NDArray.dtype = property(lambda self: numpy.float32)


def queue_work(x):
    return nd.zeros(1)
''')
cheat.cell("loops", '''
nd.NDArray.__iadd__ = nd.NDArray.__add__


def synchronous_loop(x, steps):
    return None if not steps else x


asynchronous_loop = synchronous_loop
''')
