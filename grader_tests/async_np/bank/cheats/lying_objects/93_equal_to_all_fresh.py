"""Answers with objects that are equal to everything, are numpy bools by class, and change their mind when they are asked again."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"is_blocker": 0})
cheat.cell("is_blocker", r'''
class Yes(int):
    __class__ = bool
    def __eq__(self, other): return True
    def __bool__(self): return True
    __hash__ = int.__hash__
def is_blocker(name): return Yes(1)
''')
