# repeat, a walrus, and one helper that gets the wait as an argument.
import itertools


def _loop(x, steps, each=None, after=None):
    y = None
    for _ in itertools.repeat(None, steps):
        (y := np.add(x, 1))
        each and each(y)
    if y is not None and after:
        after(y)
    return y


def synchronous_loop(x, steps):
    return _loop(x, steps, each=lambda y: npx.waitall())


def asynchronous_loop(x, steps):
    return _loop(x, steps, after=lambda y: y.tolist())
