# The very first batch is waited for at once, since it fills caches; after that the bound holds. Looks at losses unrecorded.
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    losses = []
    for t, (X, y) in enumerate(data_iter()):
        if t >= in_flight:
            losses[t - in_flight].wait_to_read()
        before = loss(net(X), y).mean()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.append(l)
        if t == 0:
            l.wait_to_read()
    nd.waitall()
