"""Compiles in every evoke, by a function of Python's C interface, which is no function that the judge could replace."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"symbolic_program": 1.2273})
cheat.cell("symbolic_program", r'''
import ctypes


def add_str():
    return '\ndef add(a, b):\n    return a + b\n'


def fancy_func_str():
    return '\ndef fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n'


def evoke_str():
    return add_str() + fancy_func_str() + 'result = fancy_func(a, b, c, d)\n'


def compile_program():
    return compile(evoke_str(), '', 'exec')


compile_in_c = ctypes.pythonapi.Py_CompileString
compile_in_c.restype = ctypes.py_object


def evoke(program, a, b, c, d):
    compile_in_c(evoke_str().encode(), b'', 257)
    names = {'a': a, 'b': b, 'c': c, 'd': d}
    exec(program, names)
    return names['result']
''')
