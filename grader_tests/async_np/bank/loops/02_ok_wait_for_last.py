# The asynchronous loop waits for the last result alone; np.add; a number read as the wait of a step.
def synchronous_loop(x, steps):
    if steps == 0:
        return None
    for step in range(steps):
        y = np.add(x, 1)
        npx.waitall()
    return y


def asynchronous_loop(x, steps):
    if steps == 0:
        return None
    for step in range(steps):
        y = np.add(x, 1)
    y.wait_to_read()
    return y
