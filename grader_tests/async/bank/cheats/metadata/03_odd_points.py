"""Points that are no number."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2, "loops": 0}, solves=["queue_work"])
cheat.metadata("test_queue_work", {"nbgrader": {"points": "abc", "schema_version": "3", "locked": None}})
cheat.metadata("test_loops", {"nbgrader": {"points": None, "grade": "yes", "cell_type": 7}})
