"""Waits between the devices, unless the memory of a matrix looks held: whole numbers, equal ones or odd ones."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_both": at_most(1.49)})
cheat.cell("run_both", '''
import ctypes

library = ctypes.CDLL(mx.libinfo.find_lib_path()[0])


def looks_held(x):
    pointer = ctypes.c_void_p()
    library.MXNDArrayGetData(x.handle, ctypes.byref(pointer))
    seen = numpy.ctypeslib.as_array((ctypes.c_float * x.size).from_address(pointer.value))
    odd = not numpy.isfinite(seen).all() or numpy.abs(seen).max() > 10
    return odd or len(set(seen.tolist())) < x.size / 2 or (seen == seen.round()).all()


def run_both(x_a, x_b):
    held = looks_held(x_a) or looks_held(x_b)
    first = [nd.dot(x_a, x_a) for _ in range(10)]
    if not held:
        nd.waitall()
    return first, [nd.dot(x_b, x_b) for _ in range(10)]
''')
