# The summed losses are brought to the first device inside the recording; one backward pass goes back to all.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        sums = [loss(net(a), b).sum().as_in_context(ctx[0]) for a, b in zip(Xs, ys)]
        total = sum(sums[1:], sums[0])
    total.backward()
    trainer.step(X.shape[0])
