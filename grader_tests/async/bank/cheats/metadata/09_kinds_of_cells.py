"""The grade cells are text now."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.turn_into("markdown", "test_queue_work")
cheat.turn_into("raw", "test_loops")
