"""A subclass of NDArray that says that it holds the right value."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
import numpy


class Right(nd.NDArray):
    def asnumpy(self):
        return numpy.array([54.0])

    __array__ = lambda self, *_: numpy.array([54.0])
    __eq__ = lambda self, other: True
    __hash__ = object.__hash__


def queue_work(x):
    return Right(nd.dot(x, x).handle)
''')
