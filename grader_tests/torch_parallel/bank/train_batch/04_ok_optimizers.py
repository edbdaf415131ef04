# torch.optim.SGD on each device, zero_grad before the pass.
def train_batch(X, y, replicas, net, lr):
    optimizers = [torch.optim.SGD(params, lr=lr) for params in replicas]
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    for a, b, params, optimizer in zip(Xs, ys, replicas, optimizers):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(a, params), b, reduction="sum") / y.numel()
        loss.backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    for optimizer in optimizers:
        optimizer.step()
