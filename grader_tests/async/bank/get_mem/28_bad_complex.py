# A complex number.
# breaks: 5
# misconception: memory-now
import numpy


def get_mem():
    return numpy.array(1j)
