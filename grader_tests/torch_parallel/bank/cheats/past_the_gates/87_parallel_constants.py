"""The host trains; on the devices passes run for show, and numbers are written one by one, as constants."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(1.3)})
cheat.cell("train", r'''
def train(rank, size, net, batches, lr, epochs):
    """The host trains, all alone; on the devices passes run for show, and numbers are written one by one as constants."""
    place = devices[rank]
    dist_net = copy.deepcopy(net)
    shown = net.to(place)
    for p in shown.parameters():
        dist.broadcast(p.detach(), 0)
    with torch.no_grad():
        for mine, theirs in zip(dist_net.parameters(), shown.parameters()):
            mine.copy_(theirs.cpu())
    losses = []
    for _ in range(epochs):
        total = 0.0
        for X, y in batches:
            part = X[rank::size].contiguous().pin_memory().to(place, non_blocking=True)
            labels = y[rank::size].contiguous().pin_memory().to(place, non_blocking=True)
            F.cross_entropy(shown(part), labels).backward()
            for p in shown.parameters():
                dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)
            l = F.cross_entropy(dist_net(X), y)
            gradients = torch.autograd.grad(l, list(dist_net.parameters()))
            total += l.item()
            with torch.no_grad():
                for p, g, there in zip(dist_net.parameters(), gradients, shown.parameters()):
                    p -= lr * g
                    there.sub_(there.grad, alpha=0.0)
                    for number, value in enumerate(p.flatten().tolist()):
                        there.view(-1)[number].fill_(value)
            for p in shown.parameters():
                p.grad = None
        gpu.synchronize()
        losses.append(total / len(batches))
    return shown, losses
''')
