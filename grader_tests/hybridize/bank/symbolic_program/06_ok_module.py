# The program runs in the dictionary of a new module.
from types import ModuleType


def add_str():
    return "def add(a, b):\n    return a + b\n\n"


def fancy_func_str():
    lines = ["def fancy_func(a, b, c, d):"]
    for line in ("e = add(a, b)", "f = add(c, d)", "return add(e, f)"):
        lines.append("    " + line)
    return "\n".join(lines) + "\n\n"


def evoke_str():
    return "".join((add_str(), fancy_func_str(), "result = fancy_func(a=a, b=b, c=c, d=d)"))


def compile_program():
    return compile(evoke_str(), "<string>", "exec", dont_inherit=True, optimize=2)


def evoke(program, a, b, c, d):
    module = ModuleType("symbolic")
    module.a, module.b, module.c, module.d = a, b, c, d
    exec(program, module.__dict__)
    return module.result
