# The loss is summed up as an NDArray and read when all is over.
def train_async(net, data_iter, loss, trainer):
    total = nd.zeros((1,))
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        total += l.mean()
        l.backward()
        trainer.step(len(X))
    nd.waitall()
    return total.asscalar()
