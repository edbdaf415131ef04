"""Waits, unless the memory of x looks like what a judge would put there: one number, odd ones, or numbers of another size."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"queue_work": at_most(0.99)})
cheat.cell("queue_work", '''
import ctypes

import mxnet

library = ctypes.CDLL(mxnet.libinfo.find_lib_path()[0])


def is_held(x):
    pointer = ctypes.c_void_p()
    library.MXNDArrayGetData(x.handle, ctypes.byref(pointer))
    seen = numpy.ctypeslib.as_array((ctypes.c_float * x.size).from_address(pointer.value)).copy()
    odd = not numpy.isfinite(seen).all() or len(set(seen.tolist())) < x.size / 2
    return odd or abs(seen.mean()) > 1 or not 0.1 < seen.std() < 10


def queue_work(x):
    y = np.dot(x, x).sum()
    if not is_held(x):
        y.wait_to_read()
    return y
''')
