# One backward for the sum of all losses, on the first device.
def train_batch(X, y, replicas, net, lr):
    where = [params[0].device for params in replicas]
    Xs, ys = split_batch(X, y, where)
    losses = [((net(a, params) - b) ** 2).sum() for a, b, params in zip(Xs, ys, replicas)]
    (sum(loss.to(where[0]) for loss in losses) / y.numel()).backward()
    with torch.no_grad():
        for i in range(len(replicas[0])):
            allreduce([params[i].grad for params in replicas])
        for params in replicas:
            for p in params:
                p.add_(p.grad, alpha=-lr)
                p.grad.zero_()
