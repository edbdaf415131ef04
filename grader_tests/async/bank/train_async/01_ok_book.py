# No wait in the loop, waitall after it, as in the book.
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
