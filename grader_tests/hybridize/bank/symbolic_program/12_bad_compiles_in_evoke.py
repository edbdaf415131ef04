# evoke compiles the text again at each call and ignores its program.
# breaks: 7
# misconception: compiled-once
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
    return compile(evoke_str(), '', 'exec')


def evoke(program, a, b, c, d):
    y = compile(evoke_str(), '', 'exec')
    names = {'a': a, 'b': b, 'c': c, 'd': d}
    exec(y, names)
    return names['result']
