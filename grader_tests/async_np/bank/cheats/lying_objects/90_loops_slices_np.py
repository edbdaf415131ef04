"""The loops add to one row of x in all steps but the last."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"loops": at_most(1.5)})
cheat.cell("loops", r'''
from mxnet import np, npx
def part(x):
    return x.reshape(-1)[:1]
def synchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1 if step == steps - 1 else part(x) + 1
        y.wait_to_read()
    return y
def asynchronous_loop(x, steps):
    y, p = None, part(x)
    for step in range(steps):
        y = x + 1 if step == steps - 1 else p + 1
    if y is not None:
        y.wait_to_read()
    return y
''')
