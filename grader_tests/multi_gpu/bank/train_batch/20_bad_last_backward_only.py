# backward stands outside the loop, so only the last device has fresh gradients.
# breaks: 1
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for i in range(len(ctx)):
        with autograd.record():
            l = loss(lenet(gpu_Xs[i], gpu_params[i]), gpu_ys[i])
    l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
