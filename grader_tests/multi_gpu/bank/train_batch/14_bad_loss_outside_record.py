# Only the network is recorded, the loss is not.
# breaks: 1
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        y_hats = [lenet(gpu_X, gpu_W) for gpu_X, gpu_W in zip(gpu_Xs, gpu_params)]
    ls = [loss(y_hat, gpu_y) for y_hat, gpu_y in zip(y_hats, gpu_ys)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
