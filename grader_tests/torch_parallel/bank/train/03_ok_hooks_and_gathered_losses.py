# ddp; the losses kept, and gathered from all ranks at the end of the epoch.
def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net.to(place)
    with torch.no_grad():
        for p in net.parameters():
            dist.broadcast(p, src=0)
    finish, optimizer = ddp(net), torch.optim.SGD(net.parameters(), lr=lr)

    def step(X, y):
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(X), y)
        loss.backward()
        finish()
        optimizer.step()
        return loss.detach()

    losses = []
    for _ in range(epochs):
        mine = torch.stack([step(*[part(t, rank, size).to(place, non_blocking=True) for t in b]) for b in batches])
        everybody = [torch.empty_like(mine) for _ in range(size)]
        dist.all_gather(everybody, mine)
        losses.append(float(torch.stack(everybody).mean()))
    return net, losses


def part(whole, rank, size):
    return whole.chunk(size)[rank].pin_memory()
