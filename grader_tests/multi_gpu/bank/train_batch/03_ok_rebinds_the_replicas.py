# One backward call for all losses, and new parameters in the lists instead of an update in place.
def train_batch(X, y, gpu_params, ctx, lr):
    n = X.shape[0]
    with autograd.record():
        ls = [loss(lenet(X_part, W), y_part)
              for X_part, y_part, W in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params)]
    autograd.backward(ls)
    for j in range(len(gpu_params[0])):
        allreduce([W[j].grad for W in gpu_params])
    for c, W in enumerate(gpu_params):
        gpu_params[c] = [p - lr * p.grad / n for p in W]
        for p in gpu_params[c]:
            p.attach_grad()
