# Waits for a parameter once its update is queued; a helper does the batch.
def _one_batch(net, X, y, loss, trainer):
    with autograd.record():
        out = net(X)
        l = loss(out, y)
    l.backward()
    trainer.step(X.shape[0])
    return l


def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        l = _one_batch(net, X, y, loss, trainer)
        weight = list(net.collect_params().values())[0]
        weight.data().wait_to_read()
        total += float(l.mean().asscalar())
    return total
