# The mean loss over the pictures: a large batch counts more than a small one.
# breaks: 9
# kills: test_losses
# misconception: replicas-stay-equal
def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net = net.to(place)
    for p in net.parameters():
        dist.broadcast(p.detach(), 0)
    finish, optimizer, told = ddp(net), torch.optim.SGD(net.parameters(), lr=lr), []
    for _ in range(epochs):
        total, count = torch.zeros((), device=place), 0
        for X, y in batches:
            X, y = (t[rank::size].contiguous().pin_memory().to(place, non_blocking=True) for t in (X, y))
            optimizer.zero_grad()
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            total += loss.detach() * len(X)
            count += len(X)
        dist.all_reduce(total)
        told.append(total.item() / count / size)
    return net, told
