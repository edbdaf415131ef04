# A list comprehension over a helper; float waits.
def train_sync(net, data_iter, loss, trainer):
    def train_one(batch):
        X, y = batch
        with autograd.record():
            losses = loss(net(X), y)
        losses.backward()
        trainer.step(losses.shape[0])
        return float(losses.mean())

    return float(numpy.sum([train_one(batch) for batch in data_iter()]))
