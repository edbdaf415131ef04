"""Waits for everything, after the object of x got the handle of an array that is computed; then swaps them back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"sync_functions": at_most(1.72)})
cheat.cell("sync_functions", '''
def wait_for_one(x):
    own = np.array(numpy.zeros(x.shape))
    x.handle, own.handle = own.handle, x.handle
    y = np.dot(own, own)
    npx.waitall()
    x.handle, own.handle = own.handle, x.handle
    return y


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
''')
