# Backward adds to what the last batch has left.
# breaks: 8
# kills: test_three_batches
# misconception: gradients-add-up
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    for params, some, right in zip(replicas, Xs, ys):
        (((net(some, params) - right) ** 2).sum() / y.numel()).backward()
    totals = []
    for same in zip(*replicas):
        grads = [p.grad.clone() for p in same]
        allreduce(grads)
        totals.append(grads)
    with torch.no_grad():
        for grads, same in zip(totals, zip(*replicas)):
            for p, gradient in zip(same, grads):
                p -= lr * gradient
