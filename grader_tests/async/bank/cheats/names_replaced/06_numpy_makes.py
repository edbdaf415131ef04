"""Replaces what makes and stores arrays, so that what leaves the kernel might be something else."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import numpy
from numpy.lib import format as npy

product = {}


def queue_work(x):
    return x[0, 0]


def write_array(file, array, *arguments, **keywords):
    return write(file, numpy.full_like(array, 1), *arguments, **keywords)


write, npy.write_array = npy.write_array, write_array
numpy.save = lambda file, array, **_: file.write(b"2.0")
numpy.empty = lambda shape, dtype=float: numpy.ones(shape, dtype)
''')
