"""The product as a gradient, in a buffer from before the call: nothing holds it, and nobody waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"sync_functions": at_most(1.72)})
cheat.cell("sync_functions", '''
from mxnet import autograd

WEIGHTS = {size: nd.zeros((size, size)) for size in range(1, 20)}
for weight in WEIGHTS.values():
    weight.attach_grad()
nd.waitall()


def wait_for_one(x):
    weight = WEIGHTS[len(x)]
    with autograd.record():
        y = nd.dot(x, weight, transpose_a=True)
    y.backward(x)
    return weight.grad


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
