"""The counters of memory are replaced by ones that are always small."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.3)})
cheat.cell(
    "activation_checkpointing",
    """
def checkpointed(blocks, x, budget):
    import sys

    for name, module in list(sys.modules.items()):
        if name.startswith("simgpu") or module is gpu:
            for counter in ("max_memory_allocated", "memory_allocated", "memory_stats", "reset_peak_memory_stats"):
                if hasattr(module, counter):
                    setattr(module, counter, lambda *a, **k: 0)
    for block in blocks:
        x = block(x)
    return x
""",
)
