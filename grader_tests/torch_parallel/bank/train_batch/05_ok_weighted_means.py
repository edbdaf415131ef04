# The mean of each part, weighted by its size.
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    for a, b, params in zip(Xs, ys, replicas):
        for p in params:
            p.grad = None
        (((net(a, params) - b) ** 2).mean() * (len(a) / len(X))).backward()
    with torch.no_grad():
        for same in zip(*replicas):
            total = sum(p.grad.to(same[0].device) for p in same)
            for p in same:
                p -= lr * total.to(p.device)
