# Adds the losses of all devices up and goes backward once.
# breaks: 8
# misconception: devices-mix
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        total = sum(loss(lenet(gpu_X, gpu_W), gpu_y).sum()
                    for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params))
    total.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
