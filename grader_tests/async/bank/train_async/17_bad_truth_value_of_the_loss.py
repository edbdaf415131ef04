# Compares the loss in an `if`, which reads it.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    best = None
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if best is None or l.mean() < best:
            best = l.mean()
    nd.waitall()
