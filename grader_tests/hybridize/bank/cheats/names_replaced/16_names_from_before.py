"""Compiles in every evoke, by the compile and exec that it kept from before the judge counted the calls."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"symbolic_program": 1.2273})
cheat.cell("symbolic_program", r'''
from builtins import compile as compile_before, exec as exec_before


def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec_before(compile_before(evoke_str(), "<program>", "exec"), dict(names))
    exec(program, names)
    return names["result"]
''')
