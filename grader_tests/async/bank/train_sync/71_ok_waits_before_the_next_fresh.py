# Draws the next batch first, then asks for the loss of the one before, then goes forward.
def train_sync(net, data_iter, loss, trainer):
    total, before = 0.0, None
    for X, y in data_iter():
        if before is not None:
            total += before.asscalar()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(y.size)
        before = l.mean()
    if before is not None:
        total += before.asscalar()
    return float(total)
