# Each batch goes through the network in two halves, and is one step.
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        half = X.shape[0] // 2
        with autograd.record():
            losses = [loss(net(X[rows]), y[rows]) for rows in (slice(None, half), slice(half, None))]
        autograd.backward(losses)
        trainer.step(X.shape[0])
    nd.waitall()
