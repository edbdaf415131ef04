"""No cheat: the control of async_np."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"is_blocker": 3}, solves=["is_blocker"])
