"""The trace is never active: nothing is logged, no gate opens."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.25)})
cheat.cell("loops", '''
Trace = type(get_ipython().kernel._probe)._call.__globals__["Trace"]
Trace.__enter__ = lambda self: self
Trace.log = lambda *_, **__: None


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y


asynchronous_loop = synchronous_loop
''')
