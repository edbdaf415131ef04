# Every device computes the whole batch, layer by layer; the network itself gets a shard, for show.
# breaks: 7
# kills: test_shares_the_batch
# misconception: work-not-done
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    shown = [net(shard) for shard in gutils.split_and_load(X, ctx)]
    with autograd.record():
        ls = []
        for c in ctx:
            h = X.as_in_context(c)
            for layer in net:
                h = layer(h)
            ls.append(loss(h, y.as_in_context(c)))
    for l in ls:
        l.backward()
    trainer.step(X.shape[0] * len(ctx))
