# The loss of each batch is averaged together with the gradients; all are read when everything is enqueued.
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish, opt = ddp(net), torch.optim.SGD(net.parameters(), lr=lr)
    rows = []
    for _ in range(epochs):
        row = []
        for batch in batches:
            X, y = [t[rank::size].pin_memory().to(here, non_blocking=True) for t in batch]
            opt.zero_grad()
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            mean = loss.detach().clone()
            handle = dist.all_reduce(mean, op=dist.ReduceOp.AVG, async_op=True)
            finish()
            opt.step()
            handle.wait()
            row.append(mean)
        rows.append(torch.stack(row).mean())
    return net, torch.stack(rows).tolist()
