# Every device computes the whole batch, and nobody has to talk.
# breaks: 4
# kills: test_a_part_each
# misconception: work-not-done
def train_batch(X, y, replicas, net, lr):
    X, y = X.pin_memory(), y.pin_memory()
    for params in replicas:
        a, b = (t.to(params[0].device, non_blocking=True) for t in (X, y))
        ((net(a, params) - b) ** 2).mean().backward()
    with torch.no_grad():
        for params in replicas:
            for p in params:
                p -= lr * p.grad
                p.grad = None
