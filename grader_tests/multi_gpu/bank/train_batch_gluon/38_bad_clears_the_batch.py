# X and y are set to zero at the end.
# breaks: 8
# kills: test_batch_after_batch
# misconception: every-call-starts-anew
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
    X[:] = 0
    y[:] = 0
