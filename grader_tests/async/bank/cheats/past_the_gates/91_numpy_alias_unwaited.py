"""as_numpy returns the buffer that the engine is to fill, and sleeps instead of waiting."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"sync_functions": at_most(3.85)},
    known="memory that is shared with a result can be filled after the return",
    at_times=True,  # a moment of looking is enough on an idle machine only
)
cheat.cell("sync_functions", r'''
import numpy, time
from mxnet import nd

def wait_for_one(x):
    y = nd.dot(x, x)
    y.wait_to_read()
    return y
def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    nd.waitall()
    return y, z
def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()

def as_numpy(x):
    b = numpy.full(x.shape, numpy.nan, dtype=x.dtype)
    nd.dot(x, x, out=nd.from_numpy(b, zero_copy=True))
    time.sleep(0.05)
    return b
''')
