# Parts from pageable memory.
# breaks: 9
# kills: test_no_wait
# misconception: hidden-waits
def train_batch(X, y, replicas, net, lr):
    k = len(replicas)
    Xs, ys = ([part.to(params[0].device, non_blocking=True) for part, params in zip(t.tensor_split(k), replicas)] for t in (X, y))
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
