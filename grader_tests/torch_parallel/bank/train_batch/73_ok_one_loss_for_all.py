# All predictions come to the first device, where one loss goes backward through all of them.
def train_batch(X, y, replicas, net, lr):
    places = [params[0].device for params in replicas]
    Xs, ys = split_batch(X, y, places)
    parts = [((net(a, params) - b) ** 2).sum() for a, b, params in zip(Xs, ys, replicas)]
    total = sum(part.to(places[0]) for part in parts) / y.numel()
    flat = torch.autograd.grad(total, [p for params in replicas for p in params])
    count = len(replicas[0])
    each = [list(flat[i : i + count]) for i in range(0, len(flat), count)]
    for same in zip(*each):
        allreduce(list(same))
    with torch.no_grad():
        for params, gradients in zip(replicas, each):
            for p, gradient in zip(params, gradients):
                p -= lr * gradient
