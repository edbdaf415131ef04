"""The loop changes x, and gives the judge's array the handle of a copy from before."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(3.75)})
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    y, before = None, x.copy()
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    x += 1
    x.handle, before.handle = before.handle, x.handle
    return y


def asynchronous_loop(x, steps):
    y, before = None, x.copy()
    for _ in range(steps):
        y = x + 1
    if y is not None:
        y.wait_to_read()
    x += 1
    x.handle, before.handle = before.handle, x.handle
    return y
''')
