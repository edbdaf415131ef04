# Shares the gradients of the weights only; each device moves the biases by its own.
# breaks: 1
# misconception: replicas-stay-equal
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(X_i, W_i), y_i) for X_i, y_i, W_i in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for i in range(0, len(gpu_params[0]), 2):
        allreduce([replica[i].grad for replica in gpu_params])
    for replica in gpu_params:
        sgd(replica, lr, len(X))
