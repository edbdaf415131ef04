# Asks for the loss of a batch when the next one is enqueued.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    total, before = 0.0, None
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if before is not None:
            total += before.asscalar()
        before = l.mean()
    if before is not None:
        total += before.asscalar()
    nd.waitall()
    return float(total)
