# Texts as single lines, joined; nested calls; dict() for the names.
def add_str():
    return "def add(a, b): return a + b"


def fancy_func_str():
    return "def fancy_func(a, b, c, d): return add(add(a, b), add(c, d))"


def evoke_str():
    return "\n".join([add_str(), fancy_func_str(), "result = fancy_func(a, b, c, d)"])


def compile_program():
    return compile(source=evoke_str(), filename="fancy.py", mode="exec")


def evoke(program, a, b, c, d):
    variables = dict(a=a, b=b, c=c, d=d)
    exec(program, variables)
    return variables.pop("result")
