# Each batch goes through the network in two halves, and is one step; the figure is that of the whole batch.
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        n = X.shape[0]
        half = n // 2
        with autograd.record():
            first = loss(net(X[:half]), y[:half])
            second = loss(net(X[half:]), y[half:])
        autograd.backward([first, second])
        trainer.step(n)
        total += float((first.sum().asscalar() + second.sum().asscalar()) / n)
    return total
