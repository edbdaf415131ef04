# Rank 0 uploads the whole batches, and scatters them.
# breaks: 2
# kills: test_a_part_each
# misconception: work-not-done
def part(whole, rank, size):
    mine = torch.empty_like(whole[:: size], device=devices[rank])
    parts = None
    if rank == 0:
        sent = whole.pin_memory().to(devices[0], non_blocking=True)
        parts = [sent[r::size].contiguous() for r in range(size)]
    dist.scatter(mine, parts, src=0)
    return mine


def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = bucketed(net, 1 << 22)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for X, y in batches:
            X, y = (part(t, rank, size) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
