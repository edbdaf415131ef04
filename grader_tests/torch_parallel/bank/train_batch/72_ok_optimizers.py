# Torch.optim.SGD for each replica, and what was written before.
def train_batch(X, y, replicas, net, lr):
    places = [params[0].device for params in replicas]
    optimizers = [torch.optim.SGD(params, lr=lr) for params in replicas]
    for optimizer in optimizers:
        optimizer.zero_grad()
    for params, inputs, targets in zip(replicas, *split_batch(X, y, places)):
        error = net(inputs, params) - targets
        ((error * error).mean() * (len(inputs) / len(X))).backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    for optimizer in optimizers:
        optimizer.step()
