# Every tenth batch tells its loss.
# breaks: 7
# kills: test_no_wait_in_an_epoch
# misconception: wait-in-the-loop
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = bucketed(net, 1 << 22)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for number, (X, y) in enumerate(batches, 1):
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
            if number % 10 == 0 and rank == 0:
                print(number, loss.item())
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
