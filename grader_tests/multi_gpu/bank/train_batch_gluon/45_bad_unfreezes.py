# Frozen parameters are also trained.
# breaks: 6
# kills: test_any_network
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    net.collect_params().setattr("grad_req", "write")
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in losses:
        l.backward()
    trainer.step(X.shape[0])
