"""The names that a grader's fixtures and arguments might have."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
student = rng = array = hint = weight = test_queue_work = points = score = passed = 2.0
__name__ = "syncpoint.graders"
__file__ = "/opt/syncpoint/scenarios.py"


def queue_work(x, student=None, points=2.0):
    return points


queue_work.__name__ = queue_work.__qualname__ = "test_queue_work"
queue_work.__test__ = True
''')
