# Puts other tensors of the same memory into the lists of replicas.
# breaks: 12
# kills: test_lists_stay
# misconception: reads-the-task
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    losses = [((net(a, params) - b) ** 2).sum() / y.numel() for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for number, p in enumerate(params):
                p -= lr * p.grad
                p.grad = None
                params[number] = p.detach().requires_grad_()
