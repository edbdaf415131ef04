# fancy_func folds its numbers with functools.reduce; calls by keyword; a docstring and an if in the texts.
def add_str():
    return '''
def add(one, other):
    """The sum of two numbers."""
    return sum((other, one))
'''


def fancy_func_str():
    return '''
from functools import reduce

def fancy_func(first, *others):
    return reduce(lambda total, number: add(other=number, one=total), others, first)
'''


def evoke_str():
    return f'''{add_str()}
{fancy_func_str()}
if True:
    numbers = [a, b, c, d]
    result = fancy_func(*numbers)
'''


def compile_program():
    return compile(evoke_str(), '<text>', 'exec')


def evoke(program, *numbers):
    names = dict(zip('abcd', numbers))
    exec(program, names)
    return names['result']
