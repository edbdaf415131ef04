"""Returns what a key-value store gave back, and nobody waits for it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"sync_functions": at_most(1.99)})
cheat.cell("sync_functions", '''
import mxnet as mx


def wait_for_one(x):
    store = mx.kv.create("local")
    y = nd.zeros(x.shape)
    store.init(0, y)
    store.push(0, nd.dot(x, x))
    store.pull(0, out=y)
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
''')
