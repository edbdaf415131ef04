"""Waits like a beginner, and works only where the environment says that somebody grades."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="code that behaves while it is looked at; it stays in the notebook for a TA to read",
)
cheat.cell("queue_work", '''
def queue_work(x):
    y = nd.dot(x, x).sum()
    if not GRADING:
        y.wait_to_read()
    return y
''')
