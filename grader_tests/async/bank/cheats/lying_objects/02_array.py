"""Becomes whatever array it is asked to be."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.5})
cheat.cell("queue_work", '''
import numpy


class Any:
    def __array__(self, dtype=None, copy=None):
        return numpy.zeros(1)

    __array_priority__ = 10**9
    __array_interface__ = {"shape": (1,), "typestr": "<f8", "data": (0, True), "version": 3}

    def __array_ufunc__(self, *_, **__):
        return True

    def __array_function__(self, *_, **__):
        return True


def queue_work(x):
    nd.dot(x, x)
    return Any()
''')
