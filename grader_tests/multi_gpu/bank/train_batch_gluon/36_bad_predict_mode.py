# Recorded in prediction mode: batch norm and dropout do not train.
# breaks: 6
# kills: test_any_network
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record(train_mode=False):
        ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
