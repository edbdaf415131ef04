"""io.BytesIO, by which replies are packed, is a class of the notebook's: it repairs as_numpy after the return."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async_np",
    deserves={"sync_functions": at_most(3.85)},
    known="what writes an array into its message looks up functions of the standard library",
)
cheat.cell("sync_functions", r'''
import numpy, io, traceback
from mxnet import np, npx
LATE = []
Own = io.BytesIO
class BytesIO(Own):
    def getvalue(self):
        data = Own.getvalue(self)
        for b, later in LATE:
            if data.endswith(b.tobytes()):
                shut = []
                for f, _ in traceback.walk_stack(None):
                    t = f.f_locals.get("trace")
                    if hasattr(t, "gates"):
                        shut = [g for g in t.gates if not g.is_open]
                for g in shut: g.open()
                data = data[:-b.nbytes] + later.asnumpy().tobytes()
                for g in shut: g.is_open = False
        return data
io.BytesIO = BytesIO

def wait_for_one(x):
    y = np.dot(x, x)
    y.wait_to_read()
    return y
def wait_for_all(x):
    y, z = np.dot(x, x), np.dot(x, x)
    npx.waitall()
    return y, z
def as_scalar(x):
    return float(np.linalg.norm(np.dot(x, x)))

def as_numpy(x):
    later = np.dot(x, x)
    b = numpy.random.rand(*x.shape).astype(x.dtype)
    LATE[:] = [(b, later)]
    return b
''')
