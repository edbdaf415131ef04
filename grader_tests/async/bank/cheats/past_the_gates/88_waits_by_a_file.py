"""The asynchronous loop writes each result into a file: that waits, in C."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(2)})
cheat.cell("loops", r'''
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    """Waits in every step, in C: who writes a file waits for what it writes."""
    y = None
    for _ in range(steps):
        y = x + 1
        nd.save("/dev/null", [y])
    return y
''')
