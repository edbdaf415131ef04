"""The asynchronous loop waits in every step by the check of a sparse array, a call of the library that no list names."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.99)})
cheat.cell('loops', r'''
from mxnet import nd

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.reshape((1, -1)).tostype("csr").check_format(True)
    if y is not None:
        y.wait_to_read()
    return y
''')
