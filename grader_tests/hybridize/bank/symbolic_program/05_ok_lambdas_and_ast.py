# The texts hold lambdas, a tree is compiled, and the program prints as in the book.
import ast


def add_str():
    return 'add = lambda a, b: a + b\n'


def fancy_func_str():
    return 'fancy_func = lambda a, b, c, d: add(add(a, b), add(c, d))\n'


def evoke_str():
    return add_str() + fancy_func_str() + 'result = fancy_func(a, b, c, d)\nprint(result)\n'


def compile_program():
    print(evoke_str())
    tree = ast.parse(evoke_str())
    return compile(tree, '', 'exec')


def evoke(program, a, b, c, d):
    names = {name: number for name, number in zip(('a', 'b', 'c', 'd'), (a, b, c, d))}
    exec(program, names)
    return names['result']
