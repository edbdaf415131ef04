# Weights the loss of each batch with its size.
# breaks: 9
# kills: test_losses
# misconception: replicas-stay-equal
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish, opt, losses = bucketed(net, 100000000), torch.optim.SGD(net.parameters(), lr), []
    for epoch in range(epochs):
        told = torch.zeros(3, device=here)
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            scores = net(X)
            loss = F.cross_entropy(scores, y)
            opt.zero_grad()
            loss.backward()
            finish()
            opt.step()
            with torch.no_grad():
                right = (scores.argmax(1) == y).sum()
                told += torch.stack([loss * len(y), right.float(), torch.ones((), device=here) * len(y)])
        dist.all_reduce(told)
        total, right, count = told.tolist()
        if rank == 0:
            print(f"epoch {epoch}: loss {total / count:.3f}, {right / count:.0%} right")
        losses.append(total / count)
    return net, losses
