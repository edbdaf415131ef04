# The loss is a mean already, and step divides once more.
# breaks: 1
# misconception: divide-once
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y).mean() for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
