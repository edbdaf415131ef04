# Prints the answer and returns nothing.
# breaks: returns True or False
# misconception: reads-the-task
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float',
            'if', 'mask', 'nonzero', 'unique', 'numpy_write'}


def is_blocker(name):
    print(name in BLOCKERS)
