# gluon's own split and an optimizer for each device; waits for the parameters of all devices at the end.
def train_batch(X, y, gpu_params, ctx, lr):
    from mxnet import gluon
    Xs, ys = gluon.utils.split_and_load(X, ctx), gluon.utils.split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(a, p), b).sum() / X.shape[0] for a, b, p in zip(Xs, ys, gpu_params)]
    autograd.backward(ls)
    for i in range(len(gpu_params[0])):
        allreduce([p[i].grad for p in gpu_params])
    for params in gpu_params:
        updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=lr))
        for i, p in enumerate(params):
            updater(i, p.grad, p)
    for params in gpu_params:
        for p in params:
            p.wait_to_read()
