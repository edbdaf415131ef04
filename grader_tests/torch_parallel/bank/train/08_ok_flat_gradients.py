# All gradients are views of one flat tensor, which is emptied in place and sent as a whole.
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    params = [p for p in net.parameters()]
    for p in params:
        dist.broadcast(p.data, 0)
    flat = torch.zeros(sum(p.numel() for p in params), device=here)
    for p, piece in zip(params, flat.split([p.numel() for p in params])):
        p.grad = piece.view_as(p)
    optimizer = torch.optim.SGD(params, lr=lr)
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for X, y in batches:
            flat.zero_()
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y) / size
            loss.backward()
            dist.all_reduce(flat)
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        losses.append(total.item() / len(batches))
    return net, losses
