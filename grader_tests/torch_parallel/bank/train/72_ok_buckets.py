# What was written before, the loss of the whole batch, and an average over the ranks at the end of an epoch.
def train(rank, size, net, batches, lr, epochs):
    net.to(devices[rank])
    for t in net.state_dict().values():
        dist.broadcast(t, 0)
    finish = bucketed(net, 1 << 20)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    means = []
    for epoch in range(epochs):
        sums, count = 0, 0
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(devices[rank], non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            sums, count = sums + loss.detach(), count + 1
        dist.all_reduce(sums)
        means.append(sums.tolist() / count / size)
        print(f"rank {rank}, epoch {epoch}: {means[-1]:.3f}")
    return net, means
