# The mean of the gradients of the parts, each of which is divided by the whole.
# breaks: 1
# kills: test_any_number, test_like_one_device, test_three_batches
# misconception: divide-once
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    losses = [((net(a, params) - b) ** 2).sum() / y.numel() for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
        for p in same:
            p.grad /= len(replicas)
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
