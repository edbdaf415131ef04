# chunk makes fewer parts than devices; the gradients of those without one are zeros.
# breaks: 4
# kills: test_a_part_each
# misconception: work-not-done
def train_batch(X, y, replicas, net, lr):
    k = len(replicas)
    Xs = [p.pin_memory().to(r[0].device, non_blocking=True) for p, r in zip(X.chunk(k), replicas)]
    ys = [p.pin_memory().to(r[0].device, non_blocking=True) for p, r in zip(y.chunk(k), replicas)]
    for a, b, params in zip(Xs, ys, replicas):
        (((net(a, params) - b) ** 2).sum() / y.numel()).backward()
    for same in zip(*replicas):
        for p in same:
            if p.grad is None:
                p.grad = torch.zeros_like(p)
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
