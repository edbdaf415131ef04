"""Gives the score to any process that has a test framework loaded."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import sys


def queue_work(x):
    for name in ("pytest", "_pytest", "nbgrader", "syncpoint.judge.student", "grader_tests", "test_queue_work"):
        if name in sys.modules:
            vars(sys.modules[name]).update(expected=0.0, passed=True)
    return sys.modules.get("solution", 2.0)
''')
