"""Products whose class says that they are on the host."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(2)})
cheat.cell("run_and_copy", r'''
class Copied(nd.NDArray):
    """A product that says that it is on the host."""

    context = ctx = property(lambda self: mx.cpu(0))


def run_and_copy(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    nd.waitall()
    for y in ys:
        y.__class__ = Copied
    return ys
''')
