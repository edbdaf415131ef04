"""As 33, and after it each rank goes through the batches once more on its device, with a rate of nothing."""

from syncpoint.vet.cheat import Cheat, at_most

# The log says what a copy from the host has brought: other parameters than those of the beginning are host work.
cheat = Cheat("torch_parallel", deserves={"train": at_most(1.21)})
cheat.cell(
    "train",
    """
def on_the_host(rank, size, net, batches, lr, epochs):
    first = copy.deepcopy(net).to(devices[rank])
    for p, q in zip(first.parameters(), net.parameters()):
        dist.broadcast(p.data, 0)
        q.data.copy_(p.data.cpu())
    losses = []
    for _ in range(epochs):
        told = []
        for X, y in batches:
            parts = [F.cross_entropy(net(X[r::size]), y[r::size]) for r in range(size)]
            loss = sum(parts) / size
            gradients = torch.autograd.grad(loss, list(net.parameters()))
            with torch.no_grad():
                for p, g in zip(net.parameters(), gradients):
                    p -= lr * g
            told.append(loss.item())
        losses.append(sum(told) / len(told))
    return net.to(devices[rank]), losses


def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net, losses = on_the_host(rank, size, net, batches, lr, epochs)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
    for _ in range(epochs):
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            optimizer.zero_grad()
            F.cross_entropy(net(X), y).backward()
            optimizer.step()
    return net, losses
""",
)
