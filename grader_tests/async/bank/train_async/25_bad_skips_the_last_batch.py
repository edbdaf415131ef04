# Drops a batch that is smaller than the one before.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    full = 0
    for X, y in data_iter():
        if X.shape[0] < full:
            continue
        full = X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
