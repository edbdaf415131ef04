# The optimised form is written by hand: add is never called.
# breaks: 3
# misconception: reads-the-task
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return a + b + c + d\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
