"""numpy.lib.format.write_array, which no one watches, repairs the numbers after the return."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"sync_functions": at_most(3.85)},
    known="what writes an array into its message looks up functions of NumPy's",
)
cheat.cell("sync_functions", r'''
import numpy, traceback
from mxnet import nd
LATE = []
own = numpy.lib.format.write_array
def write_array(fp, array, *a, **k):
    for b, later in LATE:
        if array is b or getattr(array, "base", None) is b or (array.shape == b.shape and numpy.array_equal(array, b)):
            for f, _ in traceback.walk_stack(None):
                t = f.f_locals.get("trace")
                if hasattr(t, "gates"):
                    shut = [g for g in t.gates if not g.is_open]
                    for g in shut: g.open()
                    array = later.asnumpy()
                    for g in shut: g.is_open = False
                    break
            else:
                array = later.asnumpy()
    return own(fp, array, *a, **k)
numpy.lib.format.write_array = write_array

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
    later = nd.dot(x, x)
    b = numpy.full(x.shape, numpy.random.rand(), dtype=x.dtype)
    LATE[:] = [(b, later)]
    return b
''')
