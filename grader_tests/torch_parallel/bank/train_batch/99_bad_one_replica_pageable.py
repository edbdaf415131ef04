# A single replica gets the batch from pageable memory.
# breaks: 9
# kills: test_any_number
# misconception: reads-the-task
def train_batch(X, y, replicas, net, lr):
    if len(replicas) == 1:
        place = replicas[0][0].device
        Xs, ys = [X.to(place)], [y.to(place)]
    else:
        Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    for a, b, params in zip(Xs, ys, replicas):
        (((net(a, params) - b) ** 2).sum() / y.numel()).backward()
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
