# fancy_func calls add three times and forgets the results.
# breaks: 3, 5
# kills: test_fancy_func_calls_add, test_program_calls_its_functions, test_compile_program
# misconception: reads-the-task
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    e = add(a, b)\n    f = add(c, d)\n    add(e, f)\n    return a + b + c + d\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
