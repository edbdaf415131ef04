# Takes shape and len for questions to the back end.
# breaks: 2
# misconception: call-means-done
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float', 'if',
            'mask', 'nonzero', 'unique', 'numpy_write', 'shape', 'len', 'dtype'}


def is_blocker(name):
    return name in BLOCKERS
