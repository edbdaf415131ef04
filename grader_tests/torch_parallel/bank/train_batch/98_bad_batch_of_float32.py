# The batch goes through float32, whatever its type.
# breaks: 2
# kills: test_three_batches
# misconception: gradients-add-up
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X.float(), y.float(), [params[0].device for params in replicas])
    for a, b, params in zip(Xs, ys, replicas):
        a, b = a.to(params[0].dtype), b.to(params[0].dtype)
        (((net(a, params) - b) ** 2).sum() / y.numel()).backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
