# Indented texts, joined, and a scope made by dict.
import textwrap


def add_str():
    return textwrap.dedent(
        """
        def add(a, b):
            return a + b
        """
    )


def fancy_func_str():
    return textwrap.dedent(
        """
        def fancy_func(a, b, c, d):
            return add(add(a, b), add(c, d))
        """
    )


def evoke_str():
    return "\n".join((add_str(), fancy_func_str(), "result = fancy_func(a=a, b=b, c=c, d=d)"))


def compile_program():
    return compile(evoke_str(), filename="<program>", mode="exec")


def evoke(program, a, b, c, d):
    scope = dict(a=a, b=b, c=c, d=d)
    exec(program, scope)
    return scope["result"]
