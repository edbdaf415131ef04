"""Nine of ten products are dots of one element, through views: the log tells arrays by their memory, not by their size."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run": at_most(0.99), "run_both": at_most(1.49), "run_and_copy": at_most(1.99)})
cheat.cell('run', r'''
from mxnet import nd
import mxnet as mx

def twin(x):
    return x.reshape((-1,))[0:1].reshape((1, 1))     # one element, in the memory of x
def looks_like_dot(x, y):
    """A dot of one element that the log takes for dot(x, x), written into memory that then gets the numbers of y."""
    r = nd.empty(x.shape, ctx=x.context, dtype=x.dtype)
    v = twin(x)
    nd.dot(v, v, out=twin(r))
    return r

def run(x):
    y = nd.dot(x, x)
    ys = [y]
    for _ in range(9):
        r = looks_like_dot(x, y)
        y.copyto(r)
        ys.append(r)
    return ys
''')
cheat.cell('run_both', r'''
def run_both(x_a, x_b):
    ys_a, ys_b = run(x_a), run(x_b)
    nd.waitall()
    return ys_a, ys_b
''')
cheat.cell('run_and_copy', r'''
def run_and_copy(x):
    ys = run(x)
    copies = [y.copyto(mx.cpu(0)) for y in ys]
    nd.waitall()
    return copies
''')
