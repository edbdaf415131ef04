"""No cheat: the control of hybridize."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"symbolic_program": 3}, solves=["symbolic_program"])
