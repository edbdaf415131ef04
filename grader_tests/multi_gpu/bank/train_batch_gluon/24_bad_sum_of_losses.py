# Adds up losses of different devices.
# breaks: 4
# misconception: devices-mix
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
        total = sum(l.sum() for l in ls)
    total.backward()
    trainer.step(X.shape[0])
