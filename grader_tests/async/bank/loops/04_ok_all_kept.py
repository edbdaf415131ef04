# Results kept in a list and a deque; asnumpy serves as the wait.
from collections import deque


def synchronous_loop(x, steps):
    ys = deque(maxlen=1)
    for _ in range(steps):
        ys.append(x + 1)
        ys[-1].asnumpy()
    return ys[-1] if ys else None


def asynchronous_loop(x, steps):
    ys = [x + 1 for _ in range(steps)]
    if not ys:
        return None
    last = ys[-1]
    last.asnumpy()
    return last
