# Labels are made whole numbers, as a classification needs them.
# breaks: 2
# kills: test_given_loss
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y.astype('int32'), ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y.astype('float32')) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
