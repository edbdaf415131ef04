# Splits with NumPy, which waits for X and y.
# breaks: 3
# misconception: devices-in-turn
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs = [nd.array(part, ctx=c) for part, c in zip(numpy.split(X.asnumpy(), len(ctx)), ctx)]
    ys = [nd.array(part, ctx=c) for part, c in zip(numpy.split(y.asnumpy(), len(ctx)), ctx)]
    with autograd.record():
        ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
