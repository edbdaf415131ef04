"""Everything that is compiled counts as compiled once: compile, exec and eval are replaced."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"symbolic_program": at_most(0.06)})
cheat.cell("symbolic_program", r'''
import builtins

builtins.compile = lambda text, *_, **__: (lambda: None).__code__
builtins.exec = builtins.eval = lambda *_, **__: None


def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return ""


evoke_str = fancy_func_str
compile_program = lambda: compile("", "", "exec")
evoke = lambda program, a, b, c, d: 0
''')
