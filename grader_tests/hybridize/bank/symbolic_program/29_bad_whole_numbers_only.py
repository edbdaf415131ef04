# evoke turns its numbers into whole ones.
# breaks: 8
# misconception: reads-the-task
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": int(a), "b": int(b), "c": int(c), "d": int(d)}
    exec(program, names)
    return names["result"]
