"""The product as a gradient, in a buffer from before the call: nothing holds it, and nobody waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"sync_functions": at_most(1.99)})
cheat.cell("sync_functions", '''
from mxnet import autograd

WEIGHTS = {size: np.zeros((size, size)) for size in range(1, 20)}
for weight in WEIGHTS.values():
    weight.attach_grad()
npx.waitall()


def wait_for_one(x):
    weight = WEIGHTS[len(x)]
    with autograd.record():
        y = np.dot(x.T, weight)
    y.backward(x)
    return weight.grad


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
