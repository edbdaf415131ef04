# asnumpy of all parameters is the wait; the last loss comes back.
def train_async(net, data_iter, loss, trainer):
    last = None
    for X, y in data_iter():
        with autograd.record():
            last = loss(net(X), y)
        last.backward()
        trainer.step(y.shape[0])
    weights = {name: p.data().asnumpy() for name, p in net.collect_params().items()}
    return last
