# Knows of unique that its size is unknown, and does not see that masks and nonzero are the same case.
# breaks: 4
# kills: test_hidden_waits, test_sizes
# misconception: unknown-size
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'tolist', 'item', 'float', 'if', 'numpy_write', 'unique'}


def is_blocker(name):
    return name in BLOCKERS
