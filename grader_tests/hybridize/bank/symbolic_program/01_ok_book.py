# As in the book, with the inputs as names of the program.
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
result = fancy_func(a, b, c, d)
'''


def compile_program():
    prog = evoke_str()
    y = compile(prog, '', 'exec')
    return y


def evoke(program, a, b, c, d):
    scope = {'a': a, 'b': b, 'c': c, 'd': d}
    exec(program, scope)
    return scope['result']
