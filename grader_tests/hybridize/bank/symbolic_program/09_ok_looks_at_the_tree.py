# Looks at the tree of the text before it is compiled: to parse is not to compile.
import ast


def add_str():
    return 'class Add:\n    def __call__(self, a, b):\n        return a + b\n\nadd = Add()\n'


def fancy_func_str():
    return 'def fancy_func(a, b, c, d):\n    return add(add(a, b), add(c, d))\n'


def evoke_str():
    return add_str() + fancy_func_str() + 'result = fancy_func(a, b, c, d)\n'


def compile_program():
    text = evoke_str()
    names = [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    assert 'result' in names
    return compile(text, '<evoke>', 'exec')


def evoke(program, a, b, c, d):
    space = dict(a=a, b=b, c=c, d=d)
    exec(program, space)
    return eval('result', space)
