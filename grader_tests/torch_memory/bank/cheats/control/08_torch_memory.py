"""No cheat: the control of torch_memory."""

from syncpoint.vet.cheat import Cheat

solved = ["activation_checkpointing", "fsdp_counts"]
cheat = Cheat("torch_memory", deserves={"activation_checkpointing": 4, "fsdp_counts": 3}, solves=solved)
