"""A grade cell under another id, and a made-up one with points of its own."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.metadata("test_queue_work", {"nbgrader": {"grade_id": "test_queue_work_bonus", "points": 50}})
cheat.metadata("test_loops", {"nbgrader": {"grade_id": "../test_loops"}})
