"""Ten results are views of one array; nine of the dots are of one element and write its padding."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run": at_most(0.99), "run_both": at_most(1.49)})
cheat.cell('run', r'''
from mxnet import nd
def twin(x):
    return x.reshape((-1,))[0:1].reshape((1, 1))
def run(x):
    n = x.shape[0]
    big = nd.empty((n + 1, n), ctx=x.context, dtype=x.dtype)
    pad, v = twin(big[n:n + 1]), twin(x)
    nd.dot(x, x, out=big[0:n])
    for _ in range(9):
        nd.dot(v, v, out=pad)
    return [big[0:n] for _ in range(10)]
''')
cheat.cell('run_both', r'''
def run_both(x_a, x_b):
    return run(x_a), run(x_b)
''')
