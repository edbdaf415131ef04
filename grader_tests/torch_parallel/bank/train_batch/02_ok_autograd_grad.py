# autograd.grad, divided at the update; ring.
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    each = [torch.autograd.grad(((net(a, p) - b) ** 2).sum(), p) for a, b, p in zip(Xs, ys, replicas)]
    for same in zip(*each):
        ring = [gradient.reshape(-1, 1) for gradient in same]
        if len(ring[0]) < len(ring):
            allreduce(ring)
        else:
            ring_allreduce(ring)
    for params, gradients in zip(replicas, each):
        for p, gradient in zip(params, gradients):
            p.data.sub_(gradient, alpha=lr / y.numel())
