# Empties the batch once its parts are sent.
# breaks: 11
# kills: test_batch_stays
# misconception: reads-the-task
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    size = y.numel()
    X.zero_(), y.zero_()
    losses = [((net(a, params) - b) ** 2).sum() / size for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
