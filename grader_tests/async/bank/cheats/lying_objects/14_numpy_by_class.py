"""as_numpy gives an object that says it is a NumPy array; it waits only when the probe reads it. No frame is looked at."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"sync_functions": at_most(3.6923)}, solves=["sync_functions"])
cheat.after("sync_functions", '''
class LazyNumpy:
    __class__ = property(lambda self: numpy.ndarray)
    dtype = numpy.dtype("float32")

    def __init__(self, y):
        self.y = y

    def __array__(self, *_, **__):
        return self.y.asnumpy()


def as_numpy(x):
    return LazyNumpy(nd.dot(x, x))


def as_number(x):
    return LazyNumpy(nd.dot(x, x).sum())
''')
