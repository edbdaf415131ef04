# The gradients are added up with NumPy.
# breaks: 9, 10
# kills: test_a_part_each, test_any_number, test_like_one_device, test_no_wait
# misconception: hidden-waits
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    losses = [((net(a, params) - b) ** 2).sum() / y.numel() for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        total = torch.from_numpy(sum(p.grad.cpu().numpy() for p in same))
        for p in same:
            p.grad = total.to(p.device)
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
