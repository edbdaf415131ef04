"""The loops add to one element of x in all steps but the last (a view)."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.5)})
cheat.cell("loops", r'''
from mxnet import nd
def part(x):
    return x.reshape((-1,))[0:1]
def synchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1 if step == steps - 1 else part(x) + 1
        y.wait_to_read()
    return y
def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1 if step == steps - 1 else part(x) + 1
    if y is not None:
        y.wait_to_read()
    return y
''')
