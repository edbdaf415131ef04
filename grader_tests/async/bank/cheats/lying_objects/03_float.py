"""A number whose value is decided when somebody looks."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.5})
cheat.cell("queue_work", '''
class Number(float):
    def __float__(self):
        return 54.0

    __eq__ = lambda self, other: True
    __sub__ = __rsub__ = lambda self, other: Number(0)
    __repr__ = lambda self: "54.0"
    __reduce__ = lambda self: (print, ("2.0",))
    __hash__ = float.__hash__


def queue_work(x):
    nd.dot(x, x)
    return Number(0)
''')
