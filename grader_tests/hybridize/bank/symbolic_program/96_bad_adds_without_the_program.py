# evoke adds up by itself when the program has a fancy_func.
# breaks: 8
# kills: test_evoke, test_evoke_runs_the_given_program
# misconception: compiled-once
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    if "fancy_func" in program.co_names:
        return a + b + c + d
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
