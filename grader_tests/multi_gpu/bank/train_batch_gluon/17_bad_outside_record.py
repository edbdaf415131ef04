# The loss is computed outside the recording.
# breaks: 1
# misconception: divide-once
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        outputs = [net(gpu_X) for gpu_X in gpu_Xs]
    ls = [loss(output, gpu_y) for output, gpu_y in zip(outputs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
