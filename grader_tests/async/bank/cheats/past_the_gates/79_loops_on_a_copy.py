"""The loop waits now and then, for work on a copy of x that was made before the judge held x back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.5)})
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y, own = None, x.copy()
    for step in range(steps):
        y = own + 1
        if step % 50 == 49:
            y.wait_to_read()
    if y is not None:
        y.wait_to_read()
    return y
''')
