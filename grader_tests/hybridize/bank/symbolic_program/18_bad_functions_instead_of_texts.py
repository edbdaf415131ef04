# add_str and fancy_func_str return functions.
# breaks: 2
# misconception: reads-the-task
def add_str():
    def add(a, b):
        return a + b
    return add


def fancy_func_str():
    def fancy_func(a, b, c, d):
        add = add_str()
        return add(add(a, b), add(c, d))
    return fancy_func


def evoke_str():
    return "result = (a + b) + (c + d)"


def compile_program():
    return compile(evoke_str(), "", "exec")


def evoke(program, a, b, c, d):
    names = {"a": a, "b": b, "c": c, "d": d}
    exec(program, names)
    return names["result"]
