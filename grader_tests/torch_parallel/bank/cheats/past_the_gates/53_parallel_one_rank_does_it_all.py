"""Rank 0 trains alone with whole batches; the others wait for its parameters."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(2)})
cheat.cell(
    "train",
    """
def train(rank, size, net, batches, lr, epochs):
    net = net.to(devices[rank])
    optimizer, told = torch.optim.SGD(net.parameters(), lr=lr), []
    for _ in range(epochs):
        total = torch.zeros((), device=devices[rank])
        if rank == 0:
            for X, y in batches:
                X, y = (t.contiguous().pin_memory().to(devices[0], non_blocking=True) for t in (X, y))
                optimizer.zero_grad()
                loss = F.cross_entropy(net(X), y)
                loss.backward()
                optimizer.step()
                total += loss.detach()
        for p in net.parameters():
            dist.broadcast(p.data, 0)
        dist.broadcast(total, 0)
        told.append(total.item() / len(batches))
    return net, told
""",
)
