# Records and goes backward in one loop over the devices; nothing in it waits.
def train_batch(X, y, gpu_params, ctx, lr):
    Xs = split_and_load(X, ctx)
    ys = split_and_load(y, ctx)
    for i in range(len(ctx)):
        with autograd.record():
            l = loss(lenet(Xs[i], gpu_params[i]), ys[i])
        l.backward()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for params in gpu_params:
        for p in params:
            p -= lr / len(X) * p.grad
