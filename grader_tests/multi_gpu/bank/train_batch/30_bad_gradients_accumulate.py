# Gradients are added to what is there, and nobody sets them to zero between two batches.
# breaks: 6
# misconception: every-call-starts-anew
prepared = []


def train_batch(X, y, gpu_params, ctx, lr):
    if not any(gpu_params is known for known in prepared):
        prepared.append(gpu_params)
        for W in gpu_params:
            for p in W:
                p.attach_grad(grad_req='add')
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_X, gpu_W), gpu_y)
              for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
