"""No cheat: an honest submission gets its points on the very same way."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2, "loops": 4}, solves=["queue_work", "loops"])
