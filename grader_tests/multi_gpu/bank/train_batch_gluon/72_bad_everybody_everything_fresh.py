# Every device gets the whole batch; step divides by all that was computed.
# breaks: 7
# kills: test_shares_the_batch
# misconception: work-not-done
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    losses = []
    with autograd.record():
        for place in ctx:
            losses.append(loss(net(X.as_in_context(place)), y.as_in_context(place)))
    for l in losses:
        l.backward()
    trainer.step(X.shape[0] * len(ctx))
