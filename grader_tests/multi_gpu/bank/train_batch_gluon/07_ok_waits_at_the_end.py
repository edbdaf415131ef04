# Waits, and computes the loss, when everything is enqueued.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs, gpu_ys = (gutils.split_and_load(a, ctx) for a in (X, y))
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    [l.backward() for l in ls]
    trainer.step(X.shape[0])
    nd.waitall()
    return sum(l.sum().asscalar() for l in ls) / X.shape[0]
