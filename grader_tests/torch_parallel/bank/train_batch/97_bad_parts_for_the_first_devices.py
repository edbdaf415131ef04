# Parts go to the first devices, and from there to those of the replicas.
# breaks: 4
# kills: test_a_part_each, test_side_by_side
# misconception: work-not-done
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, devices[: len(replicas)])
    for a, b, params in zip(Xs, ys, replicas):
        here = params[0].device
        (((net(a.to(here), params) - b.to(here)) ** 2).sum() / y.numel()).backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
