# Gives sgd the learning rate of the notebook's example instead of lr.
# breaks: 2
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(X_i, W_i), y_i) for X_i, y_i, W_i in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, 0.2, X.shape[0])
