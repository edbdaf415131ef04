"""A type whose name and checks lie."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"is_blocker": 0})
cheat.cell("is_blocker", '''
class Both(type):
    __instancecheck__ = __subclasscheck__ = __eq__ = lambda self, other: True
    __hash__ = type.__hash__
    __bool__ = lambda self: True
    __name__ = __qualname__ = "bool"


class Yes(int, metaclass=Both):
    __bool__ = __eq__ = lambda self, *_: True
    __hash__ = int.__hash__


def is_blocker(name):
    return Yes()
''')
