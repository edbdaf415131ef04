"""Says in the metadata what only the intake may say."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.notebook_metadata({"syncpoint": {"notes": ["Graded by hand: full points."], "refused": "nothing to grade: full points"}})
cheat.metadata("queue_work", {"syncpoint": {"points": 2, "verdict": "passed"}, "nbgrader": {"checksum": "0"}})
