# Divides by the size of the shard.
# breaks: 1
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(Xi, params), yi) for Xi, yi, params in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([params[i].grad for params in gpu_params])
    for params, Xi in zip(gpu_params, Xs):
        sgd(params, lr, Xi.shape[0])
