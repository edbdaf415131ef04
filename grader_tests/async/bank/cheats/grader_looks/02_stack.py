"""Works only below the probe's call."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="code that behaves while it is looked at; it stays in the notebook for a TA to read",
)
cheat.cell("queue_work", '''
import sys


def watched():
    frame = sys._getframe()
    while frame is not None:
        if "probe" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def queue_work(x):
    y = nd.dot(x, x).sum()
    if not watched():
        y.wait_to_read()
    return y
''')
