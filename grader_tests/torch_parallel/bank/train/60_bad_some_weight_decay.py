# A weight decay so small that few steps hardly show it.
# breaks: 4
# kills: test_three_ranks
# misconception: reads-the-task
def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net = net.to(place)
    for p in net.parameters():
        dist.broadcast(p.detach(), 0)
    finish = ddp(net)
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=lr)

    def mine(t):
        return t.tensor_split(size)[rank].contiguous().pin_memory().to(place, non_blocking=True)

    for group in optimizer.param_groups:
        group["weight_decay"] = 5e-5
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=place)
        for X, y in batches:
            loss = F.cross_entropy(net(mine(X)), mine(y))
            optimizer.zero_grad()
            loss.backward()
            finish()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
