"""No cheat: the control of torch_parallel."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_parallel", deserves={"allreduce": 4, "ddp": 4}, solves=["allreduce", "ddp"])
