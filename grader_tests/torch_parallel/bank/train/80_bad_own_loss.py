# Each rank returns the mean loss of its own part.
# breaks: 9
# kills: test_losses
# misconception: replicas-stay-equal
def train(rank, size, net, batches, lr, epochs):
    net = net.to(devices[rank])
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = ddp(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    told = []
    for _ in range(epochs):
        losses = []
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(devices[rank], non_blocking=True) for t in (X, y))
            optimizer.zero_grad()
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            losses.append(loss.detach())
        told.append(torch.stack(losses).mean().item())
    return net, told
