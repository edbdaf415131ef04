"""The loss is read in each batch, and the names of what tells of a wait are replaced beforehand."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(1.8)})
cheat.cell(
    "train",
    """
import sys


def train(rank, size, net, batches, lr, epochs):
    for name in ("simgpu.front.waits", "simgpu.front.copies"):
        for silent in ("before_a_wait", "explicit_wait", "wait"):
            if hasattr(sys.modules[name], silent):
                setattr(sys.modules[name], silent, lambda *_, **__: None)
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = bucketed(net, 1 << 22)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = 0.0
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            loss = loss.detach()
            dist.all_reduce(loss, op=dist.ReduceOp.AVG)
            total += loss.item()
        losses.append(total / len(batches))
    return net, losses
""",
)
