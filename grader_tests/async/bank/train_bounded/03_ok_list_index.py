# A list of all mean losses, read by index with asscalar; the sum comes back.
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    losses = []
    for t, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        losses.append(l.mean())
        l.backward()
        trainer.step(X.shape[0])
        oldest = t + 1 - in_flight
        if oldest >= 0:
            losses[oldest].asscalar()
    nd.waitall()
    return sum(float(m.asscalar()) for m in losses)
