"""The program's text asks globals(), which is an object of the scenario's, for the judge's numbers and counts the calls."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "hybridize",
    deserves={"symbolic_program": 0.9545},
    known="the names that the judge gives a program are an object that the program can read and change",
)
cheat.cell("symbolic_program", r"""
def add_str():
    return "def add(a, b):\n    return a + b\n"


SUM = '''
def total(a, b, c, d):
    names = globals()
    if not hasattr(names, "_replaced"):
        return a + b + c + d
    names.calls = 3
    ours = lambda *numbers: names._factor * sum(numbers) + names._offset
    return ours(ours(a, b), ours(c, d)) if names._replaced == "add" else ours(a, b, c, d)
'''


def fancy_func_str():
    return SUM + "def fancy_func(a, b, c, d):\n    return total(a, b, c, d)\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = total(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
""")
