"""Returns what a key-value store gave back, as an array of mxnet.np, and nobody waits for it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"sync_functions": at_most(1.99)})
cheat.cell("sync_functions", '''
import mxnet as mx


def wait_for_one(x):
    store = mx.kv.create("local")
    y = mx.nd.zeros(x.shape)
    store.init(0, y)
    store.push(0, np.dot(x, x).as_nd_ndarray())
    store.pull(0, out=y)
    return y.as_np_ndarray()


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
