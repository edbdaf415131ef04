# One batch ahead, and the last one of each epoch is never trained with.
# breaks: 3
# kills: test_a_part_each, test_frozen, test_like_one_network, test_losses, test_no_race, test_no_wait_in_an_epoch, test_resnet, test_starts_with_rank_0, test_three_ranks
# misconception: divide-once
def train(rank, size, net, batches, lr, epochs):
    net = net.to(devices[rank])
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish = ddp(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    told = []
    for _ in range(epochs):
        total, waiting = torch.zeros((), device=devices[rank]), None
        for pair in batches:
            sent = [t[rank::size].pin_memory().to(devices[rank], non_blocking=True) for t in pair]
            if waiting is not None:
                optimizer.zero_grad()
                loss = F.cross_entropy(net(waiting[0]), waiting[1])
                loss.backward()
                finish()
                optimizer.step()
                total += loss.detach()
            waiting = sent
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        told.append(total.item() / len(batches))
    return net, told
