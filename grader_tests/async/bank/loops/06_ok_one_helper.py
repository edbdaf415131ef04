# One helper with a function for the wait; debugging prints of what is known without waiting.
def _loop(x, steps, after_each, at_the_end):
    y = None
    for i in range(steps):
        y = x + 1
        after_each(y)
    print('enqueued', steps, 'steps of shape', x.shape)
    at_the_end()
    return y


def synchronous_loop(x, steps):
    return _loop(x, steps, after_each=lambda y: y.wait_to_read(), at_the_end=lambda: None)


def asynchronous_loop(x, steps):
    return _loop(x, steps, after_each=lambda y: None, at_the_end=nd.waitall)
