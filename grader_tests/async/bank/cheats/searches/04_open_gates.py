"""Finds the trace in the frame of its caller and opens its gates by hand: the wait after that is not in the log."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="the gates are objects of the process that they hold back",
)
cheat.cell("queue_work", '''
import sys


def queue_work(x):
    frame = sys._getframe()
    while "trace" not in frame.f_locals:
        frame = frame.f_back
    trace = frame.f_locals["trace"]
    for gate in list(trace.gates):
        gate.open()
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    for gate in trace.gates:
        gate.is_open = False
    return y
''')
