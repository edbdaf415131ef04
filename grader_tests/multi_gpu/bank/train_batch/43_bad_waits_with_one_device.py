# With one device it waits for the loss before going backward.
# breaks: 3
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(a, W), b) for a, b, W in zip(Xs, ys, gpu_params)]
    if len(ctx) == 1:
        print('loss', ls[0].mean().asscalar())
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
