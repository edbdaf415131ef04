# Examples of whole numbers become float32.
# breaks: 3
# kills: test_three_ranks
# misconception: reads-the-task
def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net = net.to(place)
    with torch.no_grad():
        for p in net.parameters():
            dist.broadcast(p.data, 0)
    wanted = [p for p in net.parameters() if p.requires_grad]
    finish = ddp(net)
    optimizer = torch.optim.SGD(wanted, lr=lr)
    losses = []
    for epoch in range(epochs):
        total = torch.zeros((), device=place)
        for n, (X, y) in enumerate(batches):
            X, y = (t[rank::size].contiguous().pin_memory().to(place, non_blocking=True) for t in (X, y))
            X = X.float()
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
