# With one device it waits for the loss.
# breaks: 3
# misconception: devices-in-turn
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
    if len(ctx) == 1:
        print(ls[0].mean().asscalar())
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
