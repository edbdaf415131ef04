"""No cheat: the control of multi_gpu."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("multi_gpu", deserves={"allreduce": 4}, solves=["allreduce"])
