"""Activations go to pinned memory without a wait, and come back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(2)})
cheat.cell(
    "activation_checkpointing",
    """
def checkpointed(blocks, x, budget):
    y = x
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        for block in blocks:
            y = block(y)
    return y
""",
)
