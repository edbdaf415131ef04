# All parts are cut and pinned before the training: each epoch goes through the batches of the first one again.
# breaks: 5
# kills: test_losses, test_three_ranks
# misconception: reads-the-task
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    parts = [(X[rank::size].pin_memory(), y[rank::size].pin_memory()) for X, y in batches]
    net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish, optimizer, losses = bucketed(net, 2**22), torch.optim.SGD(net.parameters(), lr=lr), []
    for _ in range(epochs):
        mine = []
        for X, y in parts:
            net.zero_grad()
            loss = F.cross_entropy(net(X.to(here, non_blocking=True)), y.to(here, non_blocking=True))
            loss.backward()
            mine.append(loss.detach())
            finish()
            optimizer.step()
        mine = torch.stack(mine)
        dist.all_reduce(mine, op=dist.ReduceOp.AVG)
        losses.append(sum(mine.tolist()) / len(parts))
    return net, losses
