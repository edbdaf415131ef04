# Gradients summed in two halves: reduce-scatter and all-gather.
def average(params, size):
    flat = torch.cat([p.grad.flatten() for p in params])
    each = -(-len(flat) // size)
    pieces = list(F.pad(flat, (0, each * size - len(flat))).split(each))
    mine = torch.empty_like(pieces[0])
    dist.reduce_scatter(mine, pieces)
    parts = [torch.empty_like(mine) for _ in range(size)]
    dist.all_gather(parts, mine / size)
    start, whole = 0, torch.cat(parts)
    for p in params:
        p.grad = whole[start : start + p.numel()].view_as(p)
        start += p.numel()


def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    params = [p for p in net.parameters() if p.requires_grad]
    optimizer, losses = torch.optim.SGD(params, lr=lr), []
    for _ in range(epochs):
        total = torch.zeros(1, device=here)
        for X, y in batches:
            X, y = (t.tensor_split(size)[rank].pin_memory().to(here, non_blocking=True) for t in (X, y))
            optimizer.zero_grad()
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            average(params, size)
            optimizer.step()
            total += loss.data / len(batches)
        everybody = [torch.zeros(1, device=here) for _ in range(size)]
        dist.all_gather(everybody, total)
        losses.append(sum(t.item() for t in everybody) / size)
    return net, losses
