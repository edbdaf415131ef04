"""A timer's signals wait at odd times, and not the loop.

Where a step takes longer than a tick, as on a busy machine, there is a wait in each step, which is what is asked for.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"loops": at_most(1.06)})
cheat.cell("loops", '''
import signal


def synchronous_loop(x, steps):
    def tick(*_):
        gpu.synchronize()

    y = None
    try:
        old = signal.signal(signal.SIGALRM, tick)
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    except ValueError:
        old = None
    for _ in range(steps):
        y = x + 1
    if old is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    gpu.synchronize()
    return y
''')
