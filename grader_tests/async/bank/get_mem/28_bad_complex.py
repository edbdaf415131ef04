# A complex number.
# breaks: the figure is one real number
# misconception: memory-now
import numpy


def get_mem():
    return numpy.array(1j)
