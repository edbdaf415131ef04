# One generator makes the steps; the loops differ in who takes them.
from collections import deque


def results(x, steps):
    while steps > 0:
        yield x + 1
        steps -= 1


def synchronous_loop(x, steps):
    last = None
    for last in results(x, steps):
        last.wait_to_read()
    return last


def asynchronous_loop(x, steps):
    last = deque(results(x, steps), maxlen=1)
    if not last:
        return
    nd.waitall()
    return last.pop()
