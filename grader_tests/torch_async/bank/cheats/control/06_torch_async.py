"""No cheat: the control of torch_async."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"benchmark": 2, "late_errors": 3}, solves=["benchmark", "late_errors"])
