"""Numbers that count as full points in nbgrader as it comes: negative, NaN, none, too large."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0.125})
cheat.cell("queue_work", '''
import sys

for score in (-1, float("nan"), float("inf"), None, "", 10**9):
    sys.displayhook(score)


def queue_work(x):
    return float("nan")
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    return float("nan") if steps else None


asynchronous_loop = lambda x, steps: float("inf")
''')
