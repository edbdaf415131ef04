# It waits for the loss of each device if the batch is large.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    for a, b in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
        with autograd.record():
            l = loss(net(a), b)
        l.backward()
        if len(X) >= 100:
            l.wait_to_read()
    trainer.step(X.shape[0])
