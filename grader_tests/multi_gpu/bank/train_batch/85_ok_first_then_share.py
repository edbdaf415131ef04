# Adds up on the first device, updates there, and sends the new parameters to the others.
def train_batch(X, y, gpu_params, ctx, lr):
    losses = []
    for a, b, p in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            losses.append(loss(lenet(a, p), b))
        losses[-1].backward()
    first = gpu_params[0]
    for i, param in enumerate(first):
        for other in gpu_params[1:]:
            param.grad[:] += other[i].grad.as_in_context(ctx[0])
    sgd(first, lr, X.shape[0])
    for other in gpu_params[1:]:
        for param, mine in zip(first, other):
            param.copyto(mine)
