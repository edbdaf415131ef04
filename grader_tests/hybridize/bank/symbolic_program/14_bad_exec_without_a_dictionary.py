# exec(program) inside a function: fancy_func does not find add.
# breaks: 8
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
    exec(program)
    return locals()['result']
