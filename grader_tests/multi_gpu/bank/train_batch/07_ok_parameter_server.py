# The host adds the gradients up, computes the update once and sends the new parameters to all devices.
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_Xs[c], gpu_params[c]), gpu_ys[c]) for c in range(len(ctx))]
    for l in ls:
        l.backward()
    host = mx.cpu()
    for copies in zip(*gpu_params):
        total = nd.add_n(*[p.grad.copyto(host) for p in copies])
        new = copies[0].copyto(host) - lr / X.shape[0] * total
        for p in copies:
            new.copyto(p)
