# Everything is computed in float32.
# breaks: 2
# kills: test_three_batches
# misconception: gradients-add-up
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    for a, b, params in zip(Xs, ys, replicas):
        params = [p.float() for p in params]
        (((net(a.float(), params) - b.float()) ** 2).sum() / y.numel()).backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
