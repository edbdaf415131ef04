# Written for the two devices of the example.
# breaks: 5
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in [(gpu_Xs[0], gpu_ys[0]), (gpu_Xs[1], gpu_ys[1])]]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
