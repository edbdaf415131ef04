# Adds up the losses of all examples, so a large batch counts more.
# breaks: 9
# kills: test_losses
# misconception: replicas-stay-equal
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    for p in net.parameters():
        dist.broadcast(p.detach(), 0)
    params, losses = [p for p in net.parameters() if p.requires_grad], []
    for _ in range(epochs):
        total, count = torch.zeros((), device=here), 0
        for X, y in batches:
            n = len(X)
            a = X.pin_memory().tensor_split(size)[rank].to(here, non_blocking=True)
            b = y.pin_memory().tensor_split(size)[rank].to(here, non_blocking=True)
            loss = F.cross_entropy(net(a), b, reduction="sum")
            gradients = torch.autograd.grad(loss / n, params)
            work = [dist.all_reduce(g, async_op=True) for g in gradients]
            for handle in work:
                handle.wait()
            with torch.no_grad():
                torch._foreach_add_(params, list(gradients), alpha=-lr)
            total += loss.detach()
            count += n
        dist.all_reduce(total)
        losses.append(total.item() / count)
    return net, losses
