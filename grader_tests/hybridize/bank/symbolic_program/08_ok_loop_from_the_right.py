# A loop over the numbers, the last one first; fancy_func is called by keywords, its own add as a default.
def add_str():
    return "add = lambda x, y: x + y\n"


def fancy_func_str():
    return (
        "def fancy_func(a, b, c, d, plus=add):\n"
        "    total = d\n"
        "    for number in (c, b, a):\n"
        "        total = plus(number, total)\n"
        "    return total\n"
    )


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(d=d, c=c, b=b, a=a)"


def compile_program():
    return compile(evoke_str().encode(), "program", "exec")


def evoke(program, a, b, c, d):
    scope = dict(globals(), a=a, b=b, c=c, d=d)
    exec(program, scope, scope)
    return scope["result"]
