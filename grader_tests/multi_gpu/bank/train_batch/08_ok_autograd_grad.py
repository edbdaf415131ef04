# autograd.grad returns the gradients; the buffers of the parameters are not used.
def train_batch(X, y, gpu_params, ctx, lr):
    grads = []
    for X_part, y_part, params in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(X_part, params), y_part)
        grads.append(autograd.grad(l, params))
    for same in zip(*grads):
        allreduce(list(same))
    for params, gradients in zip(gpu_params, grads):
        for p, g in zip(params, gradients):
            p[:] = p - lr * g / X.shape[0]
