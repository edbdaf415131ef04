# Never more than sixty steps are in the queue: the oldest is waited for.
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
from collections import deque


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y, queued = None, deque()
    for _ in range(steps):
        y = x + 1
        queued.append(y)
        if len(queued) > 60:
            queued.popleft().wait_to_read()
    nd.waitall()
    return y
