# Tells the trainer the size of a shard.
# breaks: 1
# misconception: divide-once
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(net(Xi), yi) for Xi, yi in zip(Xs, ys)]
    for l in losses:
        l.backward()
    trainer.step(Xs[0].shape[0])
