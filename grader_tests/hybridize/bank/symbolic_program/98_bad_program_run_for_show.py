# evoke runs its own program for show, and adds up by itself.
# breaks: 8
# kills: test_evoke
# misconception: reads-the-task
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<mine>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    if program.co_filename == "<mine>":
        return a + b + c + d
    return names["result"]
