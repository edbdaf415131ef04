# Takes sum and argmax for numbers: they are arrays with one element, and pending.
# breaks: 1
# misconception: hidden-waits
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float', 'if',
            'mask', 'nonzero', 'unique', 'numpy_write', 'sum', 'argmax'}


def is_blocker(name):
    return name in BLOCKERS
