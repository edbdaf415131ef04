# Prints the answer and returns nothing.
# breaks: 6
# misconception: reads-the-task
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float',
            'if', 'mask', 'nonzero', 'unique', 'numpy_write'}


def is_blocker(name):
    print(name in BLOCKERS)
