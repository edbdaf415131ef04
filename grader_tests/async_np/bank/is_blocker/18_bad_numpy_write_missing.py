# A write is an order for the queue, but NumPy's numbers are copied at once.
# breaks: 5
# misconception: unknown-size
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item',
            'float', 'if', 'mask', 'nonzero', 'unique'}


def is_blocker(name):
    return name in BLOCKERS
