# A set of the names that block.
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float', 'if',
            'mask', 'nonzero', 'unique', 'numpy_write'}


def is_blocker(name):
    return name in BLOCKERS
