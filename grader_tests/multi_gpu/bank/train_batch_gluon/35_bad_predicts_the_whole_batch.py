# Every device also predicts the whole batch, not recorded.
# breaks: 7
# kills: test_shares_the_batch
# misconception: work-not-done
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    for c in ctx:
        net(X.as_in_context(c))
    with autograd.record():
        ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
