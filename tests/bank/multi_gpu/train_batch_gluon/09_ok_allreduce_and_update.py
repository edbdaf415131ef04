# The two halves of step by hand; returns the losses without reading them.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    shards = zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx))
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in shards]
    autograd.backward(ls)
    trainer.allreduce_grads()
    trainer.update(len(y))
    return ls
