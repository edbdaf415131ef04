# Forward and backward of one device, then of the next; nothing waits.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    for data, label in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
        with autograd.record():
            l = loss(net(data), label)
        l.backward()
    trainer.step(y.size)
    return l
