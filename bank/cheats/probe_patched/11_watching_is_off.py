"""The watch is never active: nothing is logged, no gate opens."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.25)})
cheat.cell("loops", '''
Watch = type(get_ipython().kernel._probe)._call.__globals__["Watch"]
Watch.__enter__ = lambda self: self
Watch.log = lambda *_, **__: None


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y


asynchronous_loop = synchronous_loop
''')
