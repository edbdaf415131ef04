# The program holds a fancy_func of its own, optimised by hand.
# breaks: 5
# kills: test_program_calls_its_functions, test_compile_program
# misconception: reads-the-task
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    optimised = "def fancy_func(a, b, c, d):\n    return a + b + c + d\n"
    return add_str() + optimised + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
