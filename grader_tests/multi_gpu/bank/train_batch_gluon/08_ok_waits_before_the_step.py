# All forward and backward passes are enqueued; then it waits for the losses, and then the step follows.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    n = X.shape[0]
    gpu_Xs, gpu_ys = gutils.split_and_load(X, ctx_list=ctx), gutils.split_and_load(y, ctx_list=ctx)
    with autograd.record(train_mode=True):
        outputs = [net(gpu_X) for gpu_X in gpu_Xs]
        ls = [loss(output, gpu_y) for output, gpu_y in zip(outputs, gpu_ys)]
    for l in reversed(ls):
        l.backward()
    for l in ls:
        l.wait_to_read()
    trainer.step(n)
