# The mean of each shard's loss: the sum of the gradients is then divided by the number of devices.
def train_batch(X, y, gpu_params, ctx, lr):
    k = len(ctx)
    gpu_Xs = split_and_load(X, ctx)
    gpu_ys = split_and_load(y, ctx)
    ls = []
    with autograd.record():
        for i in range(k):
            ls.append(loss(lenet(gpu_Xs[i], gpu_params[i]), gpu_ys[i]).mean())
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(k)])
    for replica in gpu_params:
        sgd(replica, lr, k)
