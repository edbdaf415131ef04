# The asynchronous loop takes x for a matrix.
# breaks: 7
# kills: test_asynchronous_value
# misconception: reads-the-task
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    rows, columns = x.shape
    y = None
    for _ in range(steps):
        y = x + 1
    if y is not None:
        y.wait_to_read()
        assert y.shape == (rows, columns)
    return y
