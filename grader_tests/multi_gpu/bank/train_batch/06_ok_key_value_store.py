# MXNet's key-value store adds up the gradients; no allreduce of one's own.
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_X, W), gpu_y) for gpu_X, gpu_y, W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    kv = mx.kv.create('device')
    for i in range(len(gpu_params[0])):
        grads = [W[i].grad for W in gpu_params]
        kv.init(i, nd.zeros(grads[0].shape))
        kv.push(i, grads)
        kv.pull(i, out=grads)
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
