# The two halves of step by hand, where the trainer has no key-value store that updates; the losses are not read.
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    shards = zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx))
    with autograd.record():
        ls = [loss(net(gpu_X), gpu_y) for gpu_X, gpu_y in shards]
    autograd.backward(ls)
    try:
        trainer.allreduce_grads()
    except AssertionError:
        trainer.step(len(y))
        return ls
    trainer.update(len(y))
    return ls
