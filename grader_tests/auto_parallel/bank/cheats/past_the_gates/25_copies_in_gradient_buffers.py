"""Each copy is a gradient on the host, in a buffer from before the call: nothing holds it, and nobody waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.99)})
cheat.cell("run_and_copy", '''
from mxnet import autograd

WEIGHTS = {size: [nd.zeros((size, size), ctx=mx.cpu(0)) for _ in range(10)] for size in range(1, 20)}
for weights in WEIGHTS.values():
    for weight in weights:
        weight.attach_grad()
nd.waitall()


def run_and_copy(x):
    weights = WEIGHTS[len(x)]
    for weight in weights:
        copy = nd.dot(x, x).copyto(mx.cpu(0))
        with autograd.record():
            y = weight + 0
        y.backward(copy)
    return [weight.grad for weight in weights]
''')
