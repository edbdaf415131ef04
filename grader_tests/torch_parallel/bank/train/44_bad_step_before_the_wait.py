# The step stands before the waits.
# breaks: 6
# kills: test_frozen, test_like_one_network, test_losses, test_no_race, test_one_pass, test_resnet, test_starts_with_rank_0, test_three_ranks
# misconception: collective-has-happened
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    handles = []
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(
            lambda p: handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))
        )
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = torch.zeros((), device=here)
        for X, y in batches:
            X, y = (t[rank::size].pin_memory().to(here, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            optimizer.step()
            for handle in handles:
                handle.wait()
            handles.clear()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses
