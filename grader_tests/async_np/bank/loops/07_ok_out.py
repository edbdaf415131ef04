# np.add writes into a given array; one helper with a function for the wait.
def _loop(x, steps, after_each, at_the_end):
    y = np.zeros_like(x) if steps else None
    for i in range(steps):
        np.add(x, 1, out=y)
        after_each(y)
    print('enqueued', steps, 'steps of shape', x.shape)
    at_the_end()
    return y


def synchronous_loop(x, steps):
    return _loop(x, steps, after_each=lambda y: y.wait_to_read(), at_the_end=lambda: None)


def asynchronous_loop(x, steps):
    return _loop(x, steps, after_each=lambda y: None, at_the_end=npx.waitall)
