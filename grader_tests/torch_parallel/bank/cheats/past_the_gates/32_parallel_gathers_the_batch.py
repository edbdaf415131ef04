"""Each rank uploads its part, gathers the whole batch on every device, and needs no gradient of the others."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(1.5)})
cheat.cell(
    "train",
    """
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)

    def gathered(whole):
        mine = whole[rank::size].pin_memory().to(here, non_blocking=True)
        parts = [torch.empty_like(mine) for _ in range(size)]
        dist.all_gather(parts, mine)
        return torch.cat(parts)

    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for X, y in batches:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(gathered(X)), gathered(y))
            loss.backward()
            optimizer.step()
            total += loss.detach()
        losses.append(total.item() / len(batches))
    return net, losses
""",
)
