# Divides by the examples, and not by all numbers of the batch: right for one output.
# breaks: 1
# kills: test_any_number, test_like_one_device, test_three_batches
# misconception: divide-once
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    each = []
    for params, some, right in zip(replicas, Xs, ys):
        each.append(torch.autograd.grad(((net(some, params) - right) ** 2).sum() / len(X), params))
    for same in zip(*each):
        allreduce(list(same))
    with torch.no_grad():
        for params, gradients in zip(replicas, each):
            for p, gradient in zip(params, gradients):
                p -= lr * gradient
