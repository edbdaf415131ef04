# One record block, one backward for all losses.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    pairs = zip(gutils.split_and_load(X, ctx_list=ctx), gutils.split_and_load(y, ctx_list=ctx))
    with autograd.record():
        losses = tuple(loss(net(shard), labels) for shard, labels in pairs)
    autograd.backward(losses)
    trainer.step(batch_size=sum(l.size for l in losses))
