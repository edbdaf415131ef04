# evoke runs the program without Python's built-in functions.
# breaks: 8
# kills: test_evoke_runs_the_given_program
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
    names = dict(a=a, b=b, c=c, d=d, __builtins__={})
    exec(program, names)
    return names["result"]
