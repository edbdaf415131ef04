# The loss of each device is read before the next one begins.
# breaks: 6, 9
# kills: test_no_wait, test_side_by_side
# misconception: devices-in-turn
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    total = 0.0
    for a, b, params in zip(Xs, ys, replicas):
        loss = ((net(a, params) - b) ** 2).sum() / y.numel()
        loss.backward()
        total += loss.item()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
