"""The asynchronous loop waits in every step by looking at the memory (from_numpy alias), with no call of the library."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.5)},
    known="the gate of a result stands behind the operation, so memory that the student shares with it holds the values before it opens",
    at_times=True,  # a moment of looking is enough on an idle machine only
)
cheat.cell("loops", r'''
import numpy, time
from mxnet import nd

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        b = numpy.full(x.shape, numpy.nan, dtype=x.dtype)
        y = nd.from_numpy(b, zero_copy=True)
        nd.broadcast_add(x, nd.ones((1,), ctx=x.context, dtype=x.dtype), out=y) if False else nd._internal._plus_scalar(x, scalar=1.0, out=y)
        end = time.time() + 0.03
        while numpy.isnan(b).any() and time.time() < end:     # waits, and calls nothing
            pass
    if y is not None:
        y.wait_to_read()
    return y
''')
