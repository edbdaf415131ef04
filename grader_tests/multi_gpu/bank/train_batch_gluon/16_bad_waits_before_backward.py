# waitall between forward and backward.
# breaks: 3
# misconception: devices-in-turn
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    nd.waitall()
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
