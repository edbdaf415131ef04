# Gradients are attached at the start of each step, and the lists get plain new arrays at its end.
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for replica in gpu_params:
        for param in replica:
            param.attach_grad()
    with autograd.record():
        ls = [loss(lenet(X_part, W), y_part) for X_part, y_part, W in zip(Xs, ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        W[:] = [p.detach() - lr * p.grad / X.shape[0] for p in W]
