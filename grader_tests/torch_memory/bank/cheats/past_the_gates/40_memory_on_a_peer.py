"""The activations wait on another device, where nobody counts: kept is kept, so this gets what keeping all gets."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.2728)})
cheat.cell(
    "activation_checkpointing",
    """
def checkpointed(blocks, x, budget):
    import simgpu  # noqa: F401

    there = torch.device("simgpu", 1)

    def pack(t):
        return t.to(there) if t.shape == x.shape and t.data_ptr else t

    def unpack(t):
        return t.to(x.device)

    y = x
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        for block in blocks:
            y = block(y)
    return y
""",
)
