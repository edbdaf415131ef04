# All parameters ask for gradients, so that each has a hook; only the right ones are in the optimizer.
# breaks: 10
# kills: test_frozen
# misconception: reads-the-task
def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net = net.to(place)
    for p in net.parameters():
        dist.broadcast(p.detach(), 0)
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=lr)
    finish = ddp(net.requires_grad_(True))

    def mine(t):
        return t.tensor_split(size)[rank].contiguous().pin_memory().to(place, non_blocking=True)

    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=place)
        for X, y in batches:
            loss = F.cross_entropy(net(mine(X)), mine(y))
            net.zero_grad()
            loss.backward()
            finish()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
