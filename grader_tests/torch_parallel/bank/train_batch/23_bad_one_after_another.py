# Each device waits for an event of the one before.
# breaks: 6
# kills: test_side_by_side
# misconception: devices-in-turn
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    before = None
    for a, b, params in zip(Xs, ys, replicas):
        here = gpu.current_stream(params[0].device)
        if before is not None:
            here.wait_stream(before)
        (((net(a, params) - b) ** 2).sum() / y.numel()).backward()
        before = here
    for same in zip(*replicas):
        allreduce([p.grad for p in same])
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
