# Written for three devices.
# breaks: 7
# kills: test_any_number, test_no_wait, test_three_batches
# misconception: reads-the-task
def train_batch(X, y, replicas, net, lr):
    assert len(replicas) == 3
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    losses = [((net(a, params) - b) ** 2).sum() / y.numel() for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
