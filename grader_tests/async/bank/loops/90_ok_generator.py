# A generator, and deques that keep the last result alone.
from collections import deque
from itertools import repeat


def _products(x, steps):
    for one in repeat(1, steps):
        yield x + one


def _ready(y):
    y.wait_to_read()
    return y


def synchronous_loop(x, steps):
    last = deque(map(_ready, _products(x, steps)), maxlen=1)
    return last.pop() if last else None


def asynchronous_loop(x, steps):
    last = deque(_products(x, steps), maxlen=1)
    return _ready(last.pop()) if last else None
