"""Waits in each step, but gives up after a hundredth of a second: until then it counts to large numbers."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(3)},
    known="who runs in circles for a moment looks like somebody who computes",
    at_times=True,  # a hundredth of a second is enough on an idle machine only
)
cheat.cell("loops", '''
import threading
import time


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        waiter = threading.Thread(target=y.wait_to_read)
        waiter.start()
        until = time.thread_time() + 0.01
        while waiter.is_alive() and time.thread_time() < until:
            pass
    nd.waitall()
    return y
''')
