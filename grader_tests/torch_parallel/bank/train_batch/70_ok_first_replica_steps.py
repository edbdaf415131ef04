# Gradients come together at the first replica, which makes the step and gives its parameters to the others.
def train_batch(X, y, replicas, net, lr):
    k = len(replicas)
    totals = None
    for params, some, right in zip(replicas, X.tensor_split(k), y.tensor_split(k)):
        place = params[0].device
        some = some.pin_memory().to(place, non_blocking=True)
        right = right.pin_memory().to(place, non_blocking=True)
        loss = (net(some, params) - right).square().sum() / y.numel()
        gradients = torch.autograd.grad(loss, params)
        if totals is None:
            totals = list(gradients)
        else:
            totals = [total + gradient.to(total.device) for total, gradient in zip(totals, gradients)]
    with torch.no_grad():
        for p, total in zip(replicas[0], totals):
            p.sub_(total, alpha=lr)
        for replica in replicas[1:]:
            for p, new in zip(replica, replicas[0]):
                p.copy_(new)
