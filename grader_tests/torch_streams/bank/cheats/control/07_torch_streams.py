"""No cheat: the control of torch_streams."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"run_both": 3, "overlap_report": 3}, solves=["run_both", "overlap_report"])
