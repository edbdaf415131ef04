"""As 34, but the parameters of the beginning go to the devices, and what training has changed is added there."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(1.21)})
cheat.cell(
    "train",
    """
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    own = copy.deepcopy(net).to(here)
    for p, q in zip(own.parameters(), net.parameters()):
        dist.broadcast(p.data, 0)
        q.data.copy_(p.data.cpu())
    before, losses = [p.detach().clone() for p in net.parameters()], []
    for _ in range(epochs):
        told = []
        for X, y in batches:
            loss = sum(F.cross_entropy(net(X[r::size]), y[r::size]) for r in range(size)) / size
            gradients = torch.autograd.grad(loss, list(net.parameters()))
            with torch.no_grad():
                for p, g in zip(net.parameters(), gradients):
                    p -= lr * g
            told.append(loss.item())
        losses.append(sum(told) / len(told))
    changed = [(p.detach() - q).to(here) for p, q in zip(net.parameters(), before)]
    steps = len(batches) * epochs
    for _ in range(epochs):
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            gradients = torch.autograd.grad(F.cross_entropy(own(X), y), list(own.parameters()))
            with torch.no_grad():
                for p, g, d in zip(own.parameters(), gradients, changed):
                    p += d / steps + 0 * g
    return own, losses
""",
)
