# The lists get new tensors: code that keeps the old ones sees no update.
# breaks: 3
# kills: test_any_number, test_like_one_device, test_lists_stay, test_three_batches
# misconception: divide-once
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    each = []
    for params, some, right in zip(replicas, Xs, ys):
        each.append(torch.autograd.grad(((net(some, params) - right) ** 2).sum() / y.numel(), params))
    for same in zip(*each):
        allreduce(list(same))
    for params, gradients in zip(replicas, each):
        for i, gradient in enumerate(gradients):
            params[i] = (params[i].detach() - lr * gradient).requires_grad_()
