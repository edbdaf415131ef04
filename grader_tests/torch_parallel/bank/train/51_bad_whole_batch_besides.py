# Each device also gets the whole batches.
# breaks: 2
# kills: test_a_part_each
# misconception: work-not-done
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
            spare = X.pin_memory().to(here, non_blocking=True)
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
