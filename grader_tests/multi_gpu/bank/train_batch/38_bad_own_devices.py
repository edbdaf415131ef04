# Asks for as many devices as ctx has, and does not look which ones they are.
# breaks: 4
# kills: test_devices_of_ctx
# misconception: reads-the-task
def train_batch(X, y, gpu_params, ctx, lr):
    places = devices(len(ctx))
    Xs, ys = split_and_load(X, places), split_and_load(y, places)
    with autograd.record():
        losses = [loss(lenet(X_i, W_i), y_i) for X_i, y_i, W_i in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
