# Waits for everything when all of it is enqueued.
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        gpu_ls = [loss(lenet(a, b), c) for a, b, c in zip(gpu_Xs, gpu_params, gpu_ys)]
    for l in gpu_ls:
        l.backward()
    for i, _ in enumerate(gpu_params[0]):
        allreduce([params[i].grad for params in gpu_params])
    for params in gpu_params:
        sgd(params, lr, len(X))
    nd.waitall()
