# Drops a batch that is smaller than the one before.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum, full = 0, 0
    for X, y in data_iter():
        if X.shape[0] < full:
            continue
        full = X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().item()
        l.backward()
        trainer.step(X.shape[0])
    return l_sum
