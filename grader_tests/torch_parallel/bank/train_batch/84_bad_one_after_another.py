# Each device begins with what the one before has left: gradients are passed on and added, device by device.
# breaks: 6
# kills: test_side_by_side
# misconception: devices-in-turn
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    passed = None
    for params, some, right in zip(replicas, Xs, ys):
        if passed is not None:
            passed = [gradient.to(params[0].device) for gradient in passed]
        gradients = torch.autograd.grad(((net(some, params) - right) ** 2).sum() / y.numel(), params)
        passed = [a + b for a, b in zip(gradients, passed)] if passed else list(gradients)
    with torch.no_grad():
        for params in replicas:
            for p, total in zip(params, passed):
                p -= lr * total.to(p.device)
