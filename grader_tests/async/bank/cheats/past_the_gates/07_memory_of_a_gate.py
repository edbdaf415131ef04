"""Waits, unless the memory of x shows that somebody holds it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(1)})
cheat.cell("queue_work", '''
import ctypes

library = ctypes.CDLL(__import__("mxnet").libinfo.find_lib_path()[0])


def is_held(x):
    pointer = ctypes.c_void_p()
    library.MXNDArrayGetData(x.handle, ctypes.byref(pointer))
    return len(set((ctypes.c_float * x.size).from_address(pointer.value))) == 1


def queue_work(x):
    y = nd.dot(x, x).sum()
    if not is_held(x):
        y.wait_to_read()
    return y
''')
