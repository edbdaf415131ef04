# compile_program compiles a shorter program than evoke_str: its fancy_func does not call add.
# breaks: 6
# misconception: compiled-once
def add_str():
    return "def add(a, b):\n    return a + b\n"


def fancy_func_str():
    return "def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n"


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    text = "def fancy_func(a, b, c, d):\n    return a + b + c + d\nresult = fancy_func(a, b, c, d)\n"
    return compile(text, "<program>", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
