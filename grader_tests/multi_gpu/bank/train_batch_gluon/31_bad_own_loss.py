# Makes its own loss, and forgets the one it was given.
# breaks: 2
# kills: test_given_loss
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    loss = gloss.SoftmaxCrossEntropyLoss()
    gpu_Xs = gutils.split_and_load(X, ctx)
    gpu_ys = gutils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
