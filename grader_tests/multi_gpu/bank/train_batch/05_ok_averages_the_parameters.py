# Each device makes its own step, then the replicas are averaged: the same for one step of plain SGD.
def train_batch(X, y, gpu_params, ctx, lr):
    k = len(ctx)
    shards = list(zip(split_and_load(X, ctx), split_and_load(y, ctx)))
    with autograd.record():
        ls = [loss(lenet(Xc, W), yc) for (Xc, yc), W in zip(shards, gpu_params)]
    for l in ls:
        l.backward()
    for (Xc, _), W in zip(shards, gpu_params):
        sgd(W, lr, Xc.shape[0])
    for copies in zip(*gpu_params):
        allreduce(list(copies))
        for p in copies:
            p /= k
