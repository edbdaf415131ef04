# Half the squared error written out, which is what the loss computes.
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            error = net(X).reshape((-1,)) - y
            l = (error * error).sum() / 2
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
