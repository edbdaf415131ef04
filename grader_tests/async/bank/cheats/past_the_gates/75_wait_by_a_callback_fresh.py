"""Never calls a wait: polls a host buffer that the last operation fills, through the raw pointer of the array."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.5)})
cheat.cell("loops", r'''
import ctypes, mxnet
from mxnet.base import _LIB
def peek(y):
    p = ctypes.c_void_p()
    _LIB.MXNDArrayGetData(y.handle, ctypes.byref(p))
    return ctypes.cast(p, ctypes.POINTER(ctypes.c_float))[0]
def _step(x):
    y = nd.full(x.shape, 12345.678)
    y.wait_to_read()
    nd._internal._plus_scalar(x, scalar=1.0, out=y)
    end = time.time() + 2
    while abs(peek(y) - 12345.678) < 1e-2 and time.time() < end: pass
    return y
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps): y = _step(x)
    return y
asynchronous_loop = synchronous_loop
''')
