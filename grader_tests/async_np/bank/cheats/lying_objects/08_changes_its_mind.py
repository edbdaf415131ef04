"""One answer for each time that it is looked at."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"is_blocker": at_most(0.2)})
cheat.cell("is_blocker", '''
import itertools
import numpy


class Wavering(numpy.ndarray):
    count = itertools.count()
    __bool__ = lambda self: bool(next(self.count) % 2)
    __array__ = lambda self, *_: numpy.array(next(self.count) % 2 == 0)
    item = tolist = __bool__


def is_blocker(name):
    return numpy.zeros((), bool).view(Wavering)
''')
