# Only the length of ctx is used: the shards go to the first devices.
# breaks: 5
# kills: test_devices_of_ctx
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    places = devices(len(ctx))
    gpu_Xs = gutils.split_and_load(X, places)
    gpu_ys = gutils.split_and_load(y, places)
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in zip(gpu_Xs, gpu_ys)]
    for l in ls:
        l.backward()
    trainer.step(X.shape[0])
