# A Trainer that updates on its key-value store, the default with two devices, refuses allreduce_grads.
# breaks: 9
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    losses = []
    for a, b in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
        with autograd.record():
            losses.append(loss(net(a), b).sum())
        losses[-1].backward()
    trainer.allreduce_grads()
    trainer.update(int(numpy.prod(y.shape)))
