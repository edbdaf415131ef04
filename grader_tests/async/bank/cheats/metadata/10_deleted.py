"""Without grade cells nothing can be marked wrong."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 4}, solves=["loops"])
cheat.delete("test_queue_work")
cheat.delete("test_loops")
