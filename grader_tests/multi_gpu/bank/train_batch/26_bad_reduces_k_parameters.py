# Counts parameters with the number of devices: with two devices only W1 and b1 are added up.
# breaks: 1
# misconception: replicas-stay-equal
def train_batch(X, y, gpu_params, ctx, lr):
    k = len(ctx)
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_Xs[i], gpu_params[i]), gpu_ys[i]) for i in range(k)]
    for l in ls:
        l.backward()
    for i in range(k):
        allreduce([gpu_params[c][i].grad for c in range(k)])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
