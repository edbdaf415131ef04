# The code object is made at the first call and kept; other names in the texts.
import textwrap

_program = None


def add_str():
    return textwrap.dedent("""
        def add(x, y):
            total = x + y
            return total
    """)


def fancy_func_str():
    return textwrap.dedent("""
        def fancy_func(first, second, third, fourth):
            return add(add(add(first, second), third), fourth)
    """)


def evoke_str():
    return f"{add_str()}\n{fancy_func_str()}\nresult = fancy_func(a, b, c, d)\n"


def compile_program():
    global _program
    if _program is None:
        _program = compile(evoke_str(), "<symbolic>", "exec")
    return _program


def evoke(program, a, b, c, d):
    names = {}
    names.update(zip("abcd", (a, b, c, d)))
    exec(program, names)
    return names.get("result")
