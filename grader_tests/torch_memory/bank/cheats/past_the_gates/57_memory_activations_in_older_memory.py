"""A pool is made when the cell runs, and all activations are copied into it: nothing is computed again."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.3)})
cheat.cell(
    "activation_checkpointing",
    """
pool = torch.zeros(1 << 20, device=device)


def checkpointed(blocks, x, budget):
    used = 0

    def pack(t):
        nonlocal used
        if t.shape != x.shape:
            return t
        slot = pool[used : used + t.numel()].view(t.shape)
        used += t.numel()
        with torch.no_grad():
            slot.copy_(t)
        return slot

    y = x
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        for block in blocks:
            y = block(y)
    return y
""",
)
