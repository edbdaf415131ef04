# Thinks that a copy, a sort and a comparison need the numbers now: they are orders for the queue.
# breaks: 1
# misconception: unknown-size
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float', 'if', 'mask', 'nonzero',
            'unique', 'numpy_write', 'copy', 'sort', 'compare', 'where', 'astype', 'in_place', 'fill'}


def is_blocker(name):
    return name in BLOCKERS
