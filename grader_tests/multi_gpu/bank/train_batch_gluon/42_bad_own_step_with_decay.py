# The update is its own: the rate and the weight decay of the trainer, without its momentum.
# breaks: 2
# kills: test_batch_after_batch
# misconception: every-call-starts-anew
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(net(a), b) for a, b in zip(Xs, ys)]
    for l in losses:
        l.backward()
    for p in net.collect_params().values():
        if p.grad_req == "null":
            continue
        grads = p.list_grad()
        total = grads[0].copy()
        for g in grads[1:]:
            total += g.copyto(total.context)
        wd = trainer._optimizer.wd
        for w in p.list_data():
            w[:] = w - trainer.learning_rate * (total.copyto(w.context) / X.shape[0] + wd * w)
