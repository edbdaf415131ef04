"""A text that is another text each time it is read."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"symbolic_program": 0})
cheat.cell("symbolic_program", '''
class Text(str):
    __eq__ = __contains__ = startswith = lambda self, other: True
    __add__ = __radd__ = lambda self, other: self
    __hash__ = str.__hash__
    __class__ = str


def add_str():
    return Text("result = 0")


fancy_func_str = evoke_str = compile_program = add_str
evoke = lambda *_: Text("0")
''')
