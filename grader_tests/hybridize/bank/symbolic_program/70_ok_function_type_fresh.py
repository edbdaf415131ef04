# Makes a function of the code and calls it: no exec.
import types


def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return "\n".join([add_str(), fancy_func_str(), "result = fancy_func(a, b, c, d)\n"])


def compile_program():
    return compile(evoke_str(), filename="fancy", mode="exec", optimize=2)


def evoke(program, a, b, c, d):
    names = dict(zip("abcd", (a, b, c, d)), __builtins__=__builtins__)
    types.FunctionType(program, names)()
    return names["result"]
