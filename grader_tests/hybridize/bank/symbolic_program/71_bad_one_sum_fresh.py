# fancy_func adds up the four numbers itself.
# breaks: 3, 5
# kills: test_compile_program, test_fancy_func_calls_add, test_program_calls_its_functions
# misconception: compiled-once
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return a + b + c + d\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
