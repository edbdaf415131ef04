"""Finds the trace through the threads of the process and takes the waits out of its log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.125)},
    known="the log is an object of the process that it describes",
)
cheat.cell("loops", '''
import threading


def trace():
    return next(t.function.__self__ for t in threading.enumerate() if hasattr(t, "function"))


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = synchronous_loop(x, steps)
    if steps:
        log = trace().events
        log[:] = [event for event in log if event.kind == "enqueue"]
    return y
''')
