# The shards go through the network layer by layer.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    ls = []
    with autograd.record():
        for shard, labels in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
            for layer in net:
                shard = layer(shard)
            ls.append(loss(shard, labels))
    autograd.backward(ls)
    trainer.step(X.shape[0])
