# Waits for each device before the next one gets its work.
# breaks: 3
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for i in range(len(ctx)):
        with autograd.record():
            l = loss(lenet(gpu_Xs[i], gpu_params[i]), gpu_ys[i])
        l.backward()
        nd.waitall()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
