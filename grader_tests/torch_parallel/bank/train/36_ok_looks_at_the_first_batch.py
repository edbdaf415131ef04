# Looks at the loss of the first batch of each epoch: there a wait does no harm.
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
        for n, (X, y) in enumerate(batches):
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            if n == 0 and not loss.isfinite():
                raise ValueError("the training runs away")
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
