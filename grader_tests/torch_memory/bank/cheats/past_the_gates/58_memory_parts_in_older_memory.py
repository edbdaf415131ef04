"""The parts go forward all together, and their activations are in a pool that was made when the cell ran."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"gradient_accumulation": at_most(1)})
cheat.cell(
    "gradient_accumulation",
    """
pool = torch.zeros(1 << 20, device=device)


def accumulate(net, loss, optimizer, X, y, parts):
    used = 0

    def pack(t):
        nonlocal used
        if t.dim() != 2 or t.shape[0] == t.shape[1]:
            return t
        slot = pool[used : used + t.numel()].view(t.shape)
        used += t.numel()
        with torch.no_grad():
            slot.copy_(t)
        return slot

    optimizer.zero_grad()
    total = 0
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
            total = total + loss(net(some), right) * (len(some) / len(X))
    total.backward()
    optimizer.step()
""",
)
