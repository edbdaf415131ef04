# A step of the trainer after each device, with the size of the shard.
# breaks: 1
# kills: test_any_network, test_batch_after_batch, test_devices_of_ctx, test_given_loss, test_ordinary_trainer, test_whole_batch
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    for a, b in zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)):
        with autograd.record():
            l = loss(net(a), b)
        l.backward()
        trainer.step(a.shape[0], ignore_stale_grad=True)
