"""The grade cell becomes a solution cell and the other way round."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.metadata("test_queue_work", {"nbgrader": {"grade": False, "solution": True, "locked": False}})
cheat.metadata("queue_work", {"nbgrader": {"grade": True, "solution": False, "points": 2}})
cheat.metadata("test_loops", {"nbgrader": {"task": True, "solution": True}})
