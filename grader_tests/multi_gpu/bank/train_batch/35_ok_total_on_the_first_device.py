# Copies the losses of the shards to the first device, adds them there and goes backward once, through the copies.
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_X, W), gpu_y).sum() for gpu_X, gpu_y, W in zip(gpu_Xs, gpu_ys, gpu_params)]
        total = nd.add_n(*[l.as_in_context(ctx[0]) for l in ls])
    total.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
