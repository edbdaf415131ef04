# Takes a boolean mask for an operation like any other.
# breaks: 4
# misconception: unknown-size
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item',
            'float', 'if', 'nonzero', 'unique', 'numpy_write'}


def is_blocker(name):
    return name in BLOCKERS
