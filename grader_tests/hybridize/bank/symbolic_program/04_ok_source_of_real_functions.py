# The texts come from real functions; evoke reads the result with eval and one name.
import inspect


def _add(a, b):
    return a + b


def _fancy_func(a, b, c, d):
    e = _add(a, b)
    f = _add(c, d)
    return _add(e, f)


def add_str():
    return inspect.getsource(_add).replace("_add", "add")


def fancy_func_str():
    return inspect.getsource(_fancy_func).replace("_fancy_func", "fancy_func").replace("_add", "add")


def evoke_str():
    return add_str() + fancy_func_str() + "result = fancy_func(a, b, c, d)\n"


def compile_program():
    return compile(evoke_str(), "program", "exec")


def evoke(program, a, b, c, d):
    scope = {"__name__": "program", "a": a, "b": b, "c": c, "d": d}
    exec(program, scope)
    return eval("result", scope)
