# All that has a mask in it: but to write by a mask needs no new array of unknown size.
# breaks: 5
# misconception: unknown-size
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float',
            'if', 'mask', 'nonzero', 'unique', 'numpy_write', 'mask_write'}


def is_blocker(name):
    return name in BLOCKERS
