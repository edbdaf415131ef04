# Every device computes the whole batch; the number of devices is divided away.
# breaks: 1, 7
# misconception: work-not-done
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = [X.as_in_context(c) for c in ctx]
    gpu_ys = [y.as_in_context(c) for c in ctx]
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0] * len(ctx))
