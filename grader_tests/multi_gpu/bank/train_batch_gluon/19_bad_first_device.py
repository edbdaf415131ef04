# All shards are loaded onto the first device.
# breaks: 5
# misconception: work-not-done
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, [ctx[0]] * len(ctx))
    gpu_ys = gutils.split_and_load(y, [ctx[0]] * len(ctx))
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
