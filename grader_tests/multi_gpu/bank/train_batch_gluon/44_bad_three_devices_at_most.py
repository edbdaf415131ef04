# It gives work to three devices at most.
# breaks: 5
# kills: test_devices_of_ctx
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx[:3]), gutils.split_and_load(y, ctx[:3])
    with autograd.record():
        losses = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in losses:
        l.backward()
    trainer.step(X.shape[0], ignore_stale_grad=True)
