# The last line of the program calls fancy_func(1, 2, 3, 4), as in the book.
# breaks: 4
# misconception: reads-the-task
def add_str():
    return '''
def add(a, b):
    return a + b
'''


def fancy_func_str():
    return '''
def fancy_func(a, b, c, d):
    e = add(a, b)
    f = add(c, d)
    g = add(e, f)
    return g
'''


def evoke_str():
    return add_str() + fancy_func_str() + '''
result = fancy_func(1, 2, 3, 4)
'''


def compile_program():
    return compile(evoke_str(), '', 'exec')


def evoke(program, a, b, c, d):
    names = {'a': a, 'b': b, 'c': c, 'd': d}
    exec(program, names)
    return names['result']
