# The compiled program holds the call alone; evoke defines the two functions from their texts each time.
# breaks: 6
# misconception: compiled-once
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(add_str(), names)
    exec(fancy_func_str(), names)
    exec(program, names)
    return names["result"]
