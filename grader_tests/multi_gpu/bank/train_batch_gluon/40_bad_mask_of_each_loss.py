# Looks whether a loss of a device is no number: how many are left is known only when they are computed.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    for shard, labels in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
        with autograd.record():
            l = loss(net(shard), labels)
        assert nd.contrib.boolean_mask(l, l == l).size == l.size
        l.backward()
    trainer.step(X.shape[0])
