"""No cheat: the control of auto_parallel."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("auto_parallel", deserves={"run": 2, "overlap_report": 3}, solves=["run", "overlap_report"])
