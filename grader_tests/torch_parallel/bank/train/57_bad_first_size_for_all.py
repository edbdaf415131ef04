# The rows of a part are computed from the size of the first batch.
# breaks: 3
# kills: test_like_one_network
# misconception: divide-once
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = bucketed(net, 1 << 22)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses, n = [], None
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for X, y in batches:
            n = n or len(X) // size
            X, y = (t[rank * n : (rank + 1) * n] if len(t) >= size * n else t[rank::size] for t in (X, y))
            X, y = (t.contiguous().pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
