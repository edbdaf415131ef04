# One backward call for all losses.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    shards = list(zip(gluon.utils.split_and_load(X, ctx), gluon.utils.split_and_load(y, ctx, even_split=False)))
    losses = []
    with autograd.record():
        for data, label in shards:
            output = net(data)
            losses.append(loss(output, label))
    autograd.backward(losses)
    trainer.step(batch_size=len(X))
