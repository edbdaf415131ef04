# The gradients of a large batch are divided by 64.
# breaks: 1
# kills: test_whole_batch
# misconception: divide-once
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in losses:
        l.backward()
    trainer.step(min(X.shape[0], 64))
