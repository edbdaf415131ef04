# No wait, but the gradients go through pinned memory.
# breaks: 10
# kills: test_a_part_each, test_not_by_the_host
# misconception: copy-is-free
def train_batch(X, y, replicas, net, lr):
    Xs, ys = split_batch(X, y, [params[0].device for params in replicas])
    losses = [((net(a, params) - b) ** 2).sum() / y.numel() for a, b, params in zip(Xs, ys, replicas)]
    for loss in losses:
        loss.backward()
    for same in zip(*replicas):
        hosts = [p.grad.to('cpu', non_blocking=True) for p in same]
        total = same[0].grad.clone()
        for p, host in zip(same[1:], hosts[1:]):
            gpu.current_stream(total.device).wait_stream(gpu.current_stream(p.device))
            total += host.to(total.device, non_blocking=True)
        for p in same:
            p.grad = total.to(p.device)
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
